/** One submission a line, in the shape of v1: its JSON text to the byte, but for line breaks, which are white space there; in a string one is escaped. */
export async function* ndjson(batches: AsyncIterable<readonly { json: string }[]>): AsyncGenerator<Buffer> {
  for await (const batch of batches) yield Buffer.from(batch.map(({ json }) => `${json.replace(/[\r\n]+/g, ' ')}\n`).join(''));
}
