const maxLength = 64;

/** A key made of a label: `Your name` becomes `your_name`. A label without Latin letters gets the fallback. */
export function keyFrom(label: string, taken: ReadonlySet<string>, fallback = 'field'): string {
  const plain = label
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .slice(0, maxLength - 4)
    // There are never two in a row.
    .replace(/_$/, '');
  const key = plain === '' ? fallback : plain;
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? key : `${key}_${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}
