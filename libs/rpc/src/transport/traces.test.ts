import type { MethodDefinition } from '@grpc/grpc-js';
import { newId, Problem } from '@sheaf/kernel';
import type { Span, SpanKind, Tracer } from '@sheaf/runtime';
import { aUser, callAs, servingSettings, testProcess, verifyTestCaller } from '@sheaf/testing';
import { pino } from 'pino';
import { connect, type Client } from './client';
import type { MethodTypes, Protocol } from './protocol';
import { open, serve, type Asked } from './server';

interface Message {
  n: number;
}
type Telling = {
  One: MethodTypes<Message, Message, Message, Message, 'neither'>;
  Take: MethodTypes<Message, Message, Message, Message, 'request'>;
  Give: MethodTypes<Message, Message, Message, Message, 'answer'>;
};

const method = (name: string, streams: { requestStream?: boolean; responseStream?: boolean }): MethodDefinition<unknown, unknown> => {
  const serialize = (value: unknown) => Buffer.from(JSON.stringify(value));
  const deserialize = (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown;
  return {
    path: `/test.Telling/${name}`,
    requestStream: false,
    responseStream: false,
    ...streams,
    requestSerialize: serialize,
    responseSerialize: serialize,
    requestDeserialize: deserialize,
    responseDeserialize: deserialize,
  };
};
const Telling: Protocol<Telling> = {
  name: 'test.Telling',
  service: 'forms',
  methods: { One: method('One', {}), Take: method('Take', { requestStream: true }), Give: method('Give', { responseStream: true }) },
};

const user = aUser({ instanceId: newId() });
const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

interface Made {
  kind: SpanKind;
  name: string;
  parent: string | undefined;
  trace: string;
  end?: Record<string, unknown>;
}

/** Remembers the spans that were made, numbered. */
function tracer(): Tracer & { made: Made[] } {
  const made: Made[] = [];
  return {
    made,
    start(kind, name, parent): Span {
      const span: Made = {
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

/** A service that remembers what trace it was asked in, and fails for n = 13. */
async function telling({ client: asking, server }: { client?: Tracer; server?: Tracer } = {}): Promise<{
  client: Client<Telling>;
  traces: (string | undefined)[];
  lines: string[];
}> {
  const lines: string[] = [];
  const own = {
    ...testProcess('telling'),
    tracer: server,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
  };
  const traces: (string | undefined)[] = [];
  const tell = ({ n }: Message, { call }: Asked) => {
    traces.push(call.trace);
    if (n === 13) throw Problem.internal(new Error('broken'));
    if (n === 14) throw Problem.notFound('number');
    return { n };
  };
  const port = await serve<Telling>(own, {
    protocol: Telling,
    doors: {
      one: open(['user'], (request, asked) => Promise.resolve(tell(request, asked))),
      take: open(['user'], async (requests, asked) => {
        let last = { n: 0 };
        for await (const request of requests) last = request;
        return tell(last, asked);
      }),
      give: open(['user'], async function* (request, asked) {
        yield await Promise.resolve(tell(request, asked));
      }),
    },
    verify: verifyTestCaller,
    settings: servingSettings,
  });
  const connection = connect(`127.0.0.1:${port}`, Telling, { tracer: asking });
  own.onStop('client', () => connection.close());
  stops.push(() => own.stop());
  return { client: connection.client, traces, lines };
}

const all = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
};
// eslint-disable-next-line @typescript-eslint/require-await
async function* one(n: number) {
  yield { n };
}

const ways: [string, (client: Client<Telling>, call: ReturnType<typeof callAs>, n: number) => Promise<unknown>][] = [
  ['a call', (client, call, n) => client.one(call, { n })],
  ['a streamed request', (client, call, n) => client.take(call, one(n))],
  ['a streamed answer', (client, call, n) => all(client.give(call, { n }))],
];

describe.each(ways)('%s', (_, ask) => {
  it('brings its trace along, where nobody makes spans', async () => {
    const { client, traces } = await telling();
    await ask(client, { ...callAs(user), trace }, 1);
    await ask(client, callAs(user), 2);
    expect(traces).toEqual([trace, undefined]);
  });

  it('that fails leaves a line with the names of its request and its trace', async () => {
    const { client, lines } = await telling();
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

  it('brings no trace that is none', async () => {
    const { client, traces } = await telling();
    await ask(client, { ...callAs(user), trace: 'not a trace' }, 1);
    expect(traces).toEqual([undefined]);
  });

  it('is a span on both sides, one below the other', async () => {
    const [asking, server] = [tracer(), tracer()];
    const { client, traces } = await telling({ client: asking, server });
    await ask(client, { ...callAs(user), trace }, 1);

    expect(asking.made).toEqual([expect.objectContaining({ kind: 'client', parent: trace, end: {} })]);
    expect(server.made).toEqual([expect.objectContaining({ kind: 'server', parent: asking.made[0]?.trace, end: {} })]);
    expect(traces).toEqual([server.made[0]?.trace]);
  });

  it('of no trace begins none', async () => {
    const [asking, server] = [tracer(), tracer()];
    const { client } = await telling({ client: asking, server });
    await ask(client, callAs(user), 1);
    expect([...asking.made, ...server.made]).toEqual([]);
  });

  it('that goes wrong fails its spans, one that is refused does not', async () => {
    const [asking, server] = [tracer(), tracer()];
    const { client } = await telling({ client: asking, server });
    await expect(ask(client, { ...callAs(user), trace }, 13)).rejects.toMatchObject({ code: 'internal_error' });
    await expect(ask(client, { ...callAs(user), trace }, 14)).rejects.toMatchObject({ code: 'not_found' });

    for (const { made } of [asking, server])
      expect(made.map(({ end }) => end)).toEqual([{ 'error.type': 'internal_error' }, { 'sheaf.refusal': 'not_found' }]);
  });
});
