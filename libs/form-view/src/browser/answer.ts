/** What conditions compare: the answer in the controls of a question as it would be stored; undefined if there is none. */
export function answerOf(type: string, values: readonly string[]): unknown {
  const [value = ''] = values;
  const plain = value.trim();
  switch (type) {
    case 'multi_select':
      return values.length > 0 ? values : undefined;
    case 'boolean':
      return plain === '' ? undefined : plain === 'true';
    case 'number':
    case 'integer':
    case 'rating':
      return plain === '' ? undefined : Number(plain.replace(',', '.'));
    case 'email':
    case 'url':
    case 'phone':
      return plain || undefined;
    default:
      return value || undefined;
  }
}
