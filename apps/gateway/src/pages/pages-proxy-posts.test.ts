import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage } from 'node:http';
import { eventually, testProcess } from '@sheaf/testing';
import express from 'express';
import { ask, behind, callers, close, failure, gatewayWith, listen, portOf, settings, usePages } from '../../test/pages';
import { admittedAs } from '../callers/admission';
import { connectionsToPages, pagesProxy } from './pages-proxy';

usePages();

const unavailable = failure('Part of the service is down or too slow at the moment. Please try again.');

describe('a POST', () => {
  it('is passed on while it arrives', async () => {
    behind.answer = (request, response) => {
      request.once('data', (chunk: Buffer) => response.write(`got ${chunk.toString()}`));
      request.on('end', () => response.end());
    };
    const outgoing = send({ port: behind.port, path: '/f/x', method: 'POST', headers: { 'content-type': 'text/plain' } });
    outgoing.write('one');
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(String(((await once(response, 'data')) as [Buffer])[0])).toBe('got one');
    outgoing.end();
    await once(response.resume(), 'end');
    expect(behind.seen[0]?.headers).toMatchObject({ 'content-type': 'text/plain', 'transfer-encoding': 'chunked' });
  });

  it('has as long as a stream, as it may bring files', async () => {
    behind.answer = (request, response) => request.resume().on('end', () => response.end());
    await ask('/f/x', { method: 'POST', body: 'x' });
    expect(Number(behind.seen[0]?.headers['x-sheaf-deadline'])).toBeGreaterThan(Date.now() + 50_000);
  });

  it('of a webhook delivery is refused, as for /public/v1', async () => {
    const reply = await ask('/f/x', { method: 'POST', headers: { 'sheaf-hop': '1' }, body: 'x' });
    expect(reply.status).toBe(403);
    expect(JSON.parse(reply.body)).toMatchObject(failure(expect.stringMatching(/^Sheaf-Hop: /) as string, 'forbidden'));
    expect(behind.seen).toEqual([]);
  });

  it('with a compressed body is refused', async () => {
    expect(await ask('/f/x', { method: 'POST', headers: { 'content-encoding': 'gzip' }, body: 'x' })).toMatchObject({ status: 400 });
    expect(behind.seen).toEqual([]);
  });

  it('that stalls is cut off, and pages notice', async () => {
    const connections = connectionsToPages(testProcess('gateway'), {});
    const passOn = pagesProxy({ callers, settings, connections, idleMs: 50 });
    const impatient = createServer(
      express().use((request, response) => {
        response.locals.admitted = { ...admittedAs('r'), host: 'a.example' };
        void passOn(request, response, undefined);
      }),
    );
    await listen(impatient);
    const aborted = new Promise((resolve) => {
      behind.answer = (request) => request.once('aborted', resolve);
    });
    const outgoing = send({ port: portOf(impatient), path: '/f/x', method: 'POST', headers: { 'content-length': 10 } });
    outgoing.write('half');
    await expect(once(outgoing, 'response')).rejects.toThrow('socket hang up');
    await aborted;
    connections.agent.destroy();
    await close(impatient);
  });

  it('is answered even if pages answer before they have read it', async () => {
    behind.answer = (_request, response) => response.writeHead(413).end('too large');
    expect(await ask('/f/x', { method: 'POST', body: 'x'.repeat(5_000_000) })).toMatchObject({ status: 413, body: 'too large' });
  });
});

describe('without an answer of pages', () => {
  it('a request that they leave unanswered gets a 503 in time', async () => {
    behind.answer = () => undefined;
    const impatient = gatewayWith({ REQUEST_TIMEOUT_MS: 400 });
    await listen(impatient);
    for (const options of [{}, { method: 'POST', body: 'x' }]) {
      const reply = await ask('/f/x', options, portOf(impatient));
      expect({ ...reply, body: JSON.parse(reply.body) as unknown }).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1', 'cache-control': 'no-store' },
        body: unavailable,
      });
    }
    await eventually(() => expect(behind.seen.map(({ socket }) => socket.destroyed)).toEqual([true, true]));
    await close(impatient);
  });

  it('a GET whose connection breaks is repeated once, and a POST is not', async () => {
    behind.answer = (request) => request.socket.destroy();
    expect(await ask('/f/x')).toMatchObject({ status: 503 });
    expect(await ask('/f/x', { method: 'POST', body: 'x' })).toMatchObject({ status: 503 });
    expect(behind.seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);

    behind.answer = (request, response) => (behind.seen.length > 4 ? response.end('hello') : request.socket.destroy());
    expect(await ask('/f/x')).toMatchObject({ status: 200, body: 'hello' });
  });

  it('a request gets a 503 at once if nothing listens', async () => {
    const nobody = createServer();
    await listen(nobody);
    const PAGES_ADDR = `127.0.0.1:${portOf(nobody)}`;
    await close(nobody);
    const lonely = gatewayWith({ PAGES_ADDR, REQUEST_TIMEOUT_MS: 60_000 });
    await listen(lonely);
    for (const method of ['GET', 'POST']) {
      const reply = await fetch(`http://127.0.0.1:${portOf(lonely)}/f/x`, { method, ...(method === 'POST' ? { body: 'x' } : {}) });
      expect([reply.status, await reply.json()]).toEqual([503, unavailable]);
    }
    await close(lonely);
  });

  it('a person gets a page that says to go back and try again, and a program JSON', async () => {
    behind.answer = (request) => request.socket.destroy();
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const options of [{ headers }, { headers, method: 'POST', body: 'x' }]) {
      const reply = await ask('/f/x?embed=1', options);
      expect(reply).toMatchObject({
        status: 503,
        headers: { 'content-type': 'text/html; charset=utf-8', 'retry-after': '1', 'cache-control': 'no-store' },
        body: expect.stringMatching(/<h1>[^]*Go back in your browser, and try again/) as unknown,
      });
      // A form may be embedded, and then its failure is shown in the frame.
      expect(reply.headers['content-security-policy']).not.toContain('frame-ancestors');
    }
    for (const [path, accept] of [
      ['/f/x', '*/*'],
      ['/assets/form.css', headers.accept],
    ] as const)
      expect(JSON.parse((await ask(path, { headers: { accept } })).body)).toEqual(unavailable);
  });

  it('a client that leaves ends its request to pages', async () => {
    const left = new Promise((resolve) => {
      behind.answer = (request) => request.once('close', resolve);
    });
    const outgoing = send({ port: behind.port, path: '/f/x' });
    outgoing.on('error', () => undefined);
    outgoing.end();
    await eventually(() => expect(behind.seen).toHaveLength(1));
    outgoing.destroy();
    await left;
    expect(behind.seen).toHaveLength(1);
  });
});
