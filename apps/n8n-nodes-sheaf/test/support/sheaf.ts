/** The running system that the tests have been started for. */
export const connection = { url: required('SHEAF_URL'), apiKey: required('SHEAF_API_KEY') };

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests with npx nx run n8n-nodes-sheaf:check`);
  return value;
}

export async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(connection.url + path, {
    method,
    headers: { authorization: `Bearer ${connection.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const content = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${content}`);
  return (content === '' ? undefined : JSON.parse(content)) as T;
}

export async function publishForm(title: string, fields: object[]): Promise<string> {
  const { id } = await request<{ id: string }>('POST', '/api/v1/forms', { title });
  await request('PUT', `/app/v1/forms/${id}/draft`, { revision: 0, fields });
  await request('POST', `/api/v1/forms/${id}/publish`);
  return id;
}

/** Sends answers as a respondent. @returns the submission's id */
export async function submit(formId: string, data: Record<string, unknown>): Promise<string> {
  const { id } = await request<{ id: string }>('POST', `/public/v1/forms/${formId}/submissions`, { data });
  return id;
}

/** Uploads a file as a respondent. @returns the file's id, which is the answer */
export async function uploadFile(
  formId: string,
  field: string,
  { name, type, content }: { name: string; type: string; content: Buffer },
): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(content)], { type }), name);
  const response = await fetch(`${connection.url}/public/v1/forms/${formId}/files?field=${field}`, { method: 'POST', body: form });
  if (!response.ok) throw new Error(`The upload got ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { file_id: string }).file_id;
}
