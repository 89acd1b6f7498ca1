import { setTimeout } from 'node:timers/promises';
import { downloadFile, exportSubmissions, uploadFile } from './generated/sdk.gen';
import { answer, hangUp, refuse, ScriptedServer } from './testing/scripted-server';

let server: ScriptedServer;
beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.stop());

const path = { form: 'f' };
const query = { field: 'photo' };
const sentForm = async () => {
  const { headers, body } = server.received[0] ?? { headers: {}, body: Buffer.alloc(0) };
  // oxlint-disable-next-line typescript/no-deprecated -- servers should not read forms like this, but a test may
  return new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
};

describe('An upload', () => {
  it('sends a file with its name and type', async () => {
    const client = server.will(answer({ id: 'file' }, 201)).client();
    const file = new File(['content'], 'a "photo".png', { type: 'image/png' });
    expect(await uploadFile({ client, path, query, body: { file } })).toEqual({ id: 'file' });
    const sent = (await sentForm()).get('file') as File;
    expect([sent.name, sent.type, await sent.text()]).toEqual(['a "photo".png', 'image/png', 'content']);
    expect(server.received[0]?.url).toBe('/public/v1/forms/f/files?field=photo');
  });

  it('sends a stream chunk by chunk, as the same form', async () => {
    const client = server.will(answer({ id: 'file' }, 201)).client();
    async function* chunks() {
      yield Buffer.from('con');
      await setTimeout(5);
      yield Buffer.from('tent');
    }
    await uploadFile({ client, path, query, body: { file: { stream: chunks(), name: 'a "photo"\r\n.png', type: 'image/png' } } });
    expect(server.received[0]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    const sent = (await sentForm()).get('file') as File;
    expect([sent.name, sent.type, await sent.text()]).toEqual(['a "photo"\r\n.png', 'image/png', 'content']);
  });

  it('is sent once, because the server could store it twice', async () => {
    const client = server.will(hangUp).client();
    await expect(uploadFile({ client, path, query, body: { file: new Blob(['x']) } })).rejects.toMatchObject({
      name: 'SheafConnectionError',
    });
    expect(server.received).toHaveLength(1);
  });
});

describe('A file', () => {
  it('arrives as a stream while the server still sends it, whatever the time limit', async () => {
    let finish: () => void = () => undefined;
    const client = server
      .will((_, response) => {
        response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="f.csv"' }).write('first\n');
        finish = () => response.end('last\n');
      })
      .client({ timeoutMs: 100 });
    const response = await exportSubmissions({ client, path: { id: 'f' }, query: { format: 'csv' } });
    expect(response.headers.get('content-disposition')).toContain('f.csv');
    const reader = response.body.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('first\n');
    await setTimeout(150);
    finish();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('last\n');
    expect((await reader.read()).done).toBe(true);
  });

  it('that ends early fails where it is read', async () => {
    const client = server
      .will((_, response) => {
        response.writeHead(200, { 'content-type': 'text/csv' }).write('first\n');
        void setTimeout(20).then(() => response.destroy());
      })
      .client();
    const response = await exportSubmissions({ client, path: { id: 'f' } });
    await expect(response.text()).rejects.toThrow();
  });

  it('can be given up by a signal while it arrives', async () => {
    const controller = new AbortController();
    const client = server.will((_, response) => response.writeHead(200).write('first\n')).client();
    const response = await downloadFile({ client, path: { id: 'f', fileId: 'x' }, signal: controller.signal });
    controller.abort();
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('that is refused is an error, and one that may come later is asked for again', async () => {
    const client = server.will(refuse(503, 'internal_error'), refuse(404, 'not_found')).client();
    await expect(downloadFile({ client, path: { id: 'f', fileId: 'x' } })).rejects.toMatchObject({ code: 'not_found' });
    expect(server.received).toHaveLength(2);
  });
});
