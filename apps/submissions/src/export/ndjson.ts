/**
 * One submission per line, in the v1 shape. The JSON text is unchanged except for line breaks: outside strings they are white space, and
 * inside strings they are escaped.
 */
export async function* ndjson(batches: AsyncIterable<readonly { json: string }[]>): AsyncGenerator<Buffer> {
  for await (const batch of batches) yield Buffer.from(batch.map(({ json }) => `${json.replace(/[\r\n]+/g, ' ')}\n`).join(''));
}
