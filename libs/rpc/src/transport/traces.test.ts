import type { MethodDefinition } from '@grpc/grpc-js';
import { newId, Problem } from '@sheaf/kernel';
import type { Span, SpanKind, Tracer } from '@sheaf/runtime';
import { aUser, callAs, servingSettings, testProcess, verifyTestCaller } from '@sheaf/testing';
import { pino } from 'pino';
import { z } from 'zod';
import { connect, type Client } from './client';
import type { MethodTypes, Protocol } from './protocol';
import { open, openStream, type Asked } from './door';
import { serve } from './server';

const Message = z.object({ n: z.number() });
type Message = z.output<typeof Message>;
type Recording = {
  One: MethodTypes<Message, Message, Message, Message, 'neither'>;
  Take: MethodTypes<Message, Message, Message, Message, 'request'>;
  Give: MethodTypes<Message, Message, Message, Message, 'answer'>;
};

const method = (name: string, streams: { requestStream?: boolean; responseStream?: boolean }): MethodDefinition<unknown, unknown> => {
  const serialize = (value: unknown) => Buffer.from(JSON.stringify(value));
  const deserialize = (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown;
  return {
    path: `/test.Recording/${name}`,
    requestStream: false,
    responseStream: false,
    ...streams,
    requestSerialize: serialize,
    responseSerialize: serialize,
    requestDeserialize: deserialize,
    responseDeserialize: deserialize,
  };
};
const Recording: Protocol<Recording> = {
  name: 'test.Recording',
  service: 'forms',
  methods: { One: method('One', {}), Take: method('Take', { requestStream: true }), Give: method('Give', { responseStream: true }) },
};

const user = aUser({ instanceId: newId() });
const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

interface RecordedSpan {
  kind: SpanKind;
  name: string;
  parent: string | undefined;
  trace: string;
  end?: Record<string, unknown>;
}

/** A tracer that records its spans and numbers them. */
function tracer(): Tracer & { made: RecordedSpan[] } {
  const made: RecordedSpan[] = [];
  return {
    made,
    start(kind, name, parent): Span {
      const span: RecordedSpan = {
        kind,
        name,
        parent,
        trace: `00-4bf92f3577b34da6a3ce929d0e0e4736-${String(made.length + 1).padStart(16, '0')}-01`,
      };
      made.push(span);
      return { trace: span.trace, end: (attributes = {}) => void (span.end = attributes) };
    },
  };
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A service that records the trace of each call, fails for n = 13 and refuses n = 14. */
async function startRecording({ client: asking, server }: { client?: Tracer; server?: Tracer } = {}): Promise<{
  client: Client<Recording>;
  traces: (string | undefined)[];
  lines: string[];
}> {
  const lines: string[] = [];
  const process = {
    ...testProcess('recording'),
    tracer: server,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
  };
  const traces: (string | undefined)[] = [];
  const record = ({ n }: Message, { call }: Asked) => {
    traces.push(call.trace);
    if (n === 13) throw Problem.internal(new Error('broken'));
    if (n === 14) throw Problem.notFound('number');
    return { n };
  };
  const port = await serve<Recording>(process, {
    protocol: Recording,
    doors: {
      one: open(['user'], Message, (request, asked) => Promise.resolve(record(request, asked))),
      take: openStream(['user'], Message, async (requests, asked) => {
        let last = { n: 0 };
        for await (const request of requests) last = request;
        return record(last, asked);
      }),
      give: open(['user'], Message, async function* (request, asked) {
        yield await Promise.resolve(record(request, asked));
      }),
    },
    verify: verifyTestCaller,
    settings: servingSettings,
  });
  const connection = connect(`127.0.0.1:${port}`, Recording, { tracer: asking });
  process.onStop('client', () => connection.close());
  stops.push(() => process.stop());
  return { client: connection.client, traces, lines };
}

const all = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
};
// oxlint-disable-next-line typescript/require-await
async function* one(n: number) {
  yield { n };
}

const ways: [string, (client: Client<Recording>, call: ReturnType<typeof callAs>, n: number) => Promise<unknown>][] = [
  ['a call', (client, call, n) => client.one(call, { n })],
  ['a streamed request', (client, call, n) => client.take(call, one(n))],
  ['a streamed answer', (client, call, n) => all(client.give(call, { n }))],
];

describe.each(ways)('%s', (_, ask) => {
  it('passes its trace on unchanged when no spans are collected', async () => {
    const { client, traces } = await startRecording();
    await ask(client, { ...callAs(user), trace }, 1);
    await ask(client, callAs(user), 2);
    expect(traces).toEqual([trace, undefined]);
  });

  it('logs a failure with its request id and its trace', async () => {
    const { client, lines } = await startRecording();
    const call = { ...callAs(user), trace };
    await expect(ask(client, call, 13)).rejects.toMatchObject({ code: 'internal_error' });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({
        msg: 'call failed',
        requestId: call.requestId,
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        spanId: '00f067aa0ba902b7',
      }),
    );
  });

  it('drops an invalid trace', async () => {
    const { client, traces } = await startRecording();
    await ask(client, { ...callAs(user), trace: 'not a trace' }, 1);
    expect(traces).toEqual([undefined]);
  });

  it("creates a span on each side, the server's below the client's", async () => {
    const [asking, server] = [tracer(), tracer()];
    const { client, traces } = await startRecording({ client: asking, server });
    await ask(client, { ...callAs(user), trace }, 1);

    expect(asking.made).toEqual([expect.objectContaining({ kind: 'client', parent: trace, end: {} })]);
    expect(server.made).toEqual([expect.objectContaining({ kind: 'server', parent: asking.made[0]?.trace, end: {} })]);
    expect(traces).toEqual([server.made[0]?.trace]);
  });

  it('without a trace creates no spans', async () => {
    const [asking, server] = [tracer(), tracer()];
    const { client } = await startRecording({ client: asking, server });
    await ask(client, callAs(user), 1);
    expect([...asking.made, ...server.made]).toEqual([]);
  });

  it('marks its spans as failed when it fails, but not when it is refused', async () => {
    const [asking, server] = [tracer(), tracer()];
    const { client } = await startRecording({ client: asking, server });
    await expect(ask(client, { ...callAs(user), trace }, 13)).rejects.toMatchObject({ code: 'internal_error' });
    await expect(ask(client, { ...callAs(user), trace }, 14)).rejects.toMatchObject({ code: 'not_found' });

    for (const { made } of [asking, server])
      expect(made.map(({ end }) => end)).toEqual([{ 'error.type': 'internal_error' }, { 'sheaf.refusal': 'not_found' }]);
  });
});
