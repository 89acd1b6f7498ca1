import type { ExportedRow } from '../submission/submissions.queries';

/** One submission a line, in the shape of v1. The answers are JSON text already. */
export async function* ndjson(batches: AsyncIterable<ExportedRow[]>): AsyncGenerator<Buffer> {
  for await (const batch of batches) yield Buffer.from(batch.map(line).join(''));
}

function line({ id, form_id, data, schema_version, status, created_at }: ExportedRow): string {
  // In JSON text a line break is white space; in a string it would be escaped.
  const answers = data.replace(/[\r\n]+/g, ' ');
  return `{"id":"${id}","form_id":"${form_id}","data":${answers},"schema_version":${schema_version},"status":${JSON.stringify(status)},"created_at":"${created_at.toISOString()}"}\n`;
}
