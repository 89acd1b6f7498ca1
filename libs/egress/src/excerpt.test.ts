import { gzipSync } from 'node:zlib';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { open } from '../test/egresses';
import { http, tcp } from '../test/servers';
import type { Outcome } from './egress';
import type { Excerpt } from './excerpt';

const post = (url: string, within = 10_000): Promise<Outcome> =>
  open.post(url, { headers: {}, body: '{}', timeoutMs: within, connection: 'kept' });

/** The excerpt kept of this response. */
async function excerptOf(status: number, headers: OutgoingHttpHeaders, body: string | Buffer = ''): Promise<Excerpt | undefined> {
  const { url } = await http((_, response) => void response.writeHead(status, headers).end(body));
  return responseOf(await post(url));
}

const responseOf = async (outcome: Outcome): Promise<Excerpt | undefined> => ('response' in outcome ? outcome.response : undefined);

/** Sends a byte every now and then, for ever. */
function drip(response: ServerResponse): void {
  const more = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(more));
}

describe('the excerpt of a response', () => {
  it('is kept with its content type', async () => {
    expect(await excerptOf(422, { 'content-type': 'application/json' }, '{"error":"no such field"}')).toEqual({
      contentType: 'application/json',
      text: '{"error":"no such field"}',
      isCut: false,
    });
  });

  it('is nothing if it has no body', async () => {
    expect(await excerptOf(503, {})).toBeUndefined();
    expect(await excerptOf(204, {})).toBeUndefined();
    const { url } = await http((_, response) => void response.end());
    expect(await post(url)).not.toHaveProperty('response');
  });

  it.each([200, 500])('after a %i has the headers that help, cut and without control characters, and no cookies', async (status) => {
    const headers = {
      'x-request-id': 'r1',
      'retry-after': '7',
      'cf-ray': `\u0080${'x'.repeat(300)}`,
      'set-cookie': 'a=secret',
      'x-internal': 'secret',
    };
    expect(await excerptOf(status, headers)).toEqual({
      text: '',
      isCut: false,
      headers: { 'x-request-id': 'r1', 'retry-after': '7', 'cf-ray': `�${'x'.repeat(199)}` },
    });
  });

  it.each([200, 500])('of a page or a picture with %i is text', async (status) => {
    const page = '<script>alert(1)</script>';
    expect(await excerptOf(status, { 'content-type': 'text/html' }, page)).toEqual({ contentType: 'text/html', text: page, isCut: false });
    const picture = await excerptOf(
      status,
      { 'content-type': 'image/png' },
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]),
    );
    expect(picture).toMatchObject({ text: '�PNG\n�\n�' });
  });

  it('of a success that goes on is its beginning, and one that drips is read for a second', async () => {
    expect(await excerptOf(200, {}, 'é'.repeat(1_024))).toMatchObject({ text: 'é'.repeat(1_024), isCut: false });
    expect(await excerptOf(200, {}, `x${'é'.repeat(5_000_000)}`)).toEqual({ text: `x${'é'.repeat(1_023)}`, isCut: true });
    const { url } = await http((_, response) => drip(response));
    expect(await responseOf(await post(url))).toMatchObject({ text: expect.stringMatching(/^x+$/) as string, isCut: true });
  });

  it('is cut after 2 KB, and not within a character', async () => {
    expect(await excerptOf(500, {}, 'é'.repeat(1_024))).toMatchObject({ text: 'é'.repeat(1_024), isCut: false });
    expect(await excerptOf(500, {}, `x${'é'.repeat(1_024)}`)).toMatchObject({ text: `x${'é'.repeat(1_023)}`, isCut: true });
    expect(await excerptOf(500, {}, 'x'.repeat(10_000_000))).toMatchObject({ text: 'x'.repeat(2_048), isCut: true });
  });

  it.each([
    ['a terminal', Buffer.from('\u001b[2Jgone\u0007\u009b31m'), '�[2Jgone��31m'],
    ['the direction of text', Buffer.from('abc\u202Etxt'), 'abc�txt'],
    ['a database', Buffer.from('a\u0000b'), 'a�b'],
    ['what expects UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a��b'],
  ])('is text that does not control %s', async (_, body, text) => {
    expect(await excerptOf(500, {}, body)).toMatchObject({ text });
  });

  it('keeps its lines', async () => {
    expect(await excerptOf(500, {}, 'one\r\n\ttwo\rthree\n')).toMatchObject({ text: 'one\n\ttwo\nthree\n' });
  });

  it('is not decompressed', async () => {
    const excerpt = await excerptOf(500, { 'content-encoding': 'gzip' }, gzipSync('secret '.repeat(10_000)));
    expect(excerpt?.text).not.toContain('secret');
  });

  it('decides nothing: a body that drips is cut after a second, long after its status was returned', async () => {
    const { url } = await http((_, response) => drip(response.writeHead(500)));
    const outcome = await post(url);
    const startedAt = performance.now();
    expect(await responseOf(outcome)).toMatchObject({ text: expect.stringMatching(/^x+$/) as string, isCut: true });
    // A timer may fire a little early.
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  it('is not read beyond the limit of the POST', async () => {
    const { url } = await http((_, response) => drip(response.writeHead(500)));
    const [limited, other] = (await Promise.all([post(url, 300), post(url)])).map(responseOf);
    const first = await Promise.race([other?.then(() => 'the other'), limited?.then(() => 'the limited one')]);
    expect(first).toBe('the limited one');
    expect(await limited).toMatchObject({ isCut: true });
    await other;
  });

  it('is what arrived before the connection broke', async () => {
    const { url } = await tcp((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\nhalf of i', () => setTimeout(() => socket.destroy(), 50));
      }),
    );
    expect(await responseOf(await post(url))).toEqual({ text: 'half of i', isCut: true });
  });

  it('is not read while a hundred others are', async () => {
    const waiting: ServerResponse[] = [];
    const { url } = await http((_, response) => {
      waiting.push(response);
      // All of them at the same moment, so that none has been read for a second before the last one begins.
      if (waiting.length === 101) for (const each of waiting) each.writeHead(500).write('no');
    });
    const outcomes = await Promise.all(Array.from({ length: 101 }, () => post(url)));
    const texts = (await Promise.all(outcomes.map(responseOf))).map((excerpt) => excerpt?.text);
    expect(texts.sort()).toEqual(['', ...Array.from({ length: 100 }, () => 'no')]);
    expect(await excerptOf(500, {}, 'no')).toMatchObject({ text: 'no' });
  });
});

describe('the target of a redirect', () => {
  it.each([
    ['https://example.org/new?token=secret#part', 'https://example.org/new'],
    ['https://ada:secret@example.org/', 'https://example.org/'],
    ['/elsewhere?a=b', 'ORIGIN/elsewhere'],
    ['//example.org', 'http://example.org/'],
  ])('is kept without query and credentials: %s', async (location, kept) => {
    const { url } = await http((_, response) => void response.writeHead(308, { location }).end());
    const excerpt = await responseOf(await post(url));
    expect(excerpt).toEqual({ text: '', isCut: false, location: kept.replace('ORIGIN', new URL(url).origin) });
  });

  it.each(['http://', 'javascript:alert(1)', `https://example.org/${'x'.repeat(2_048)}`])(
    'is not kept if it leads nowhere: %.30s',
    async (location) => {
      expect(await excerptOf(302, { location })).toBeUndefined();
    },
  );

  it('is not kept of other responses', async () => {
    expect(await excerptOf(404, { location: 'https://example.org/' })).toBeUndefined();
  });
});
