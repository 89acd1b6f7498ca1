import { created, Instance } from '../test/instance';
import type { WebhookReceiver } from './receiver';
import { MemoryReplayStore } from './replay-store';

let instance: Instance;
let receiver: WebhookReceiver;
let handled: string[];
const handle = ({ id }: { id: string }) => void handled.push(id);
beforeEach(() => {
  instance = new Instance();
  receiver = instance.receiver();
  handled = [];
});

const codeOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => (error as { code?: string }).code);

describe('A delivery', () => {
  it('is handled once, however often it arrives', async () => {
    expect(await receiver.receive(instance.request(), handle)).toBe('handled');
    instance.advance(4);
    expect(await receiver.receive(instance.request(), handle)).toBe('duplicate');
    expect(await receiver.receive(instance.request({ id: 'd2' }), handle)).toBe('handled');
    expect(handled).toEqual(['d1', 'd2']);
  });

  it('is handled again if the handler failed', async () => {
    const fail = () => Promise.reject(new Error('the database is down'));
    await expect(receiver.receive(instance.request(), fail)).rejects.toThrow('the database is down');
    instance.advance(4);
    expect(await receiver.receive(instance.request(), handle)).toBe('handled');
  });

  it('is not acknowledged while an earlier attempt is being handled', async () => {
    let end: (() => void) | undefined;
    let first: Promise<unknown> | undefined;
    await new Promise<void>((begun) => {
      first = receiver.receive(instance.request(), () => {
        begun();
        return new Promise<void>((resolve) => (end = resolve));
      });
    });
    expect(await codeOf(receiver.receive(instance.request(), handle))).toBe('in_progress');
    end?.();
    expect(await first).toBe('handled');
    expect(await receiver.receive(instance.request(), handle)).toBe('duplicate');
    expect(handled).toEqual([]);
  });

  it('is handled again if the process died before the handler ended', async () => {
    const replayStore = new MemoryReplayStore(instance);
    const died = instance.receiver({ replayStore });
    await new Promise<void>((begun) => {
      const handleForever = () => {
        begun();
        return new Promise(() => undefined);
      };
      void died.receive(instance.request(), handleForever);
    });
    receiver = instance.receiver({ replayStore });

    instance.advance(4);
    expect(await codeOf(receiver.receive(instance.request(), handle))).toBe('in_progress');
    instance.advance(16);
    expect(await receiver.receive(instance.request(), handle)).toBe('handled');
  });

  it('is remembered for a day by default, and always for twice the tolerance', async () => {
    await receiver.receive(instance.request(), handle);
    instance.advance(86_399);
    expect(await receiver.receive(instance.request(), handle)).toBe('duplicate');
    instance.advance(1);
    expect(await receiver.receive(instance.request(), handle)).toBe('handled');

    receiver = instance.receiver({ rememberSeconds: 0 });
    await receiver.receive(instance.request(), handle);
    const replayed = instance.request();
    instance.advance(300);
    expect(await receiver.receive(replayed, handle)).toBe('duplicate');
  });

  it('fails with the error of its handler, even if the store fails as well', async () => {
    const errors: unknown[] = [];
    const replayStore = new MemoryReplayStore(instance);
    replayStore.remove = () => Promise.reject(new Error('the store is down'));
    receiver = instance.receiver({ replayStore, onError: (error) => errors.push(error) });
    const fail = () => Promise.reject(new Error('the database is down'));
    await expect(receiver.receive(instance.request(), fail)).rejects.toThrow('the database is down');
    expect(errors).toEqual([new Error('the store is down')]);
  });

  it('with a forged signature leaves nothing in the store', async () => {
    const replayStore = new MemoryReplayStore(instance);
    const add = jest.spyOn(replayStore, 'add');
    receiver = instance.receiver({ replayStore });
    const { headers } = instance.request();
    expect(await codeOf(receiver.receive({ headers, body: '{}' }, handle))).toBe('signature_mismatch');
    expect(add).not.toHaveBeenCalled();
  });
});

describe('The store in memory', () => {
  const later = () => new Date(instance.time + 1_000);

  it('adds an id once, until it expires or is removed', async () => {
    const store = new MemoryReplayStore(instance);
    expect([await store.add('a', later()), await store.add('a', later())]).toEqual([true, false]);
    await store.remove('a');
    expect([await store.has('a'), await store.add('a', later())]).toEqual([false, true]);
    instance.advance(1);
    expect([await store.has('a'), await store.add('a', later())]).toEqual([false, true]);
  });

  it('forgets the oldest ids beyond its limit', async () => {
    const store = new MemoryReplayStore({ max: 2, now: instance.now });
    for (const id of ['a', 'b', 'c']) await store.add(id, later());
    expect(await Promise.all(['a', 'b', 'c'].map((id) => store.has(id)))).toEqual([false, true, true]);
  });
});

describe('The answer to a request', () => {
  let errors: unknown[];
  beforeEach(() => {
    errors = [];
    receiver = instance.receiver({ onError: (error) => errors.push(error) });
  });

  it('is 204 for a delivery that is handled, now or before', async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { status, body } = await receiver.respond(instance.request(), handle);
      expect({ status, body }).toEqual({ status: 204, body: null });
    }
    expect(errors).toEqual([]);
  });

  it('is the error of verification, with its code', async () => {
    const { headers } = instance.request();
    const response = await receiver.respond({ headers, body: '{}' }, handle);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 'signature_mismatch' } });
    expect(errors).toEqual([expect.objectContaining({ code: 'signature_mismatch' })]);
  });

  it('is 500 for a handler that fails, and does not show why', async () => {
    const failure = new Error('password=secret');
    const response = await receiver.respond(instance.request(), () => {
      throw failure;
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: { code: 'handler_failed', message: 'The delivery could not be handled' } });
    expect(errors).toEqual([failure]);
  });
});

describe('A batch', () => {
  const batchWith = (...ids: string[]) =>
    instance.request({
      id: 'b1',
      body: JSON.stringify({ event: 'batch', id: 'b1', events: ids.map((id) => ({ id, ...(JSON.parse(created) as object) })) }),
    });

  it('is handled event by event, each once, also if it comes again in part or with others', async () => {
    expect(await receiver.receive(batchWith('d1', 'd2'), handle)).toBe('handled');
    expect(await receiver.receive(batchWith('d1', 'd2'), handle)).toBe('duplicate');
    expect(await receiver.receive(batchWith('d2', 'd3'), handle)).toBe('handled');
    expect(await receiver.receive(instance.request({ id: 'd3' }), handle)).toBe('duplicate');
    expect(handled).toEqual(['d1', 'd2', 'd3']);
  });

  it('of which one event failed is not acknowledged, and only that one is handled again', async () => {
    const failing = ({ id }: { id: string }) => (id === 'd1' ? Promise.reject(new Error('the database is down')) : handle({ id }));
    await expect(receiver.receive(batchWith('d1', 'd2'), failing)).rejects.toThrow('the database is down');
    expect(await receiver.receive(batchWith('d1', 'd2'), handle)).toBe('handled');
    expect(handled).toEqual(['d2', 'd1']);
  });

  it('of which this version does not know one event is not acknowledged, and the others are handled', async () => {
    const { id: _, ...later } = { id: '', ...(JSON.parse(created) as object), event: 'submission.invented' };
    const events = [{ id: 'd1', ...later }, null, { id: 'd2', ...(JSON.parse(created) as object) }];
    const request = () => instance.request({ id: 'b1', body: JSON.stringify({ event: 'batch', id: 'b1', events }) });
    expect(await codeOf(receiver.receive(request(), handle))).toBe('unknown_event');
    expect(handled).toEqual(['d2']);
    expect(await codeOf(receiver.verifyAll(request()))).toBe('unknown_event');
  });

  it('is verified as a whole, and its events are those that would come singly', async () => {
    const [{ event }] = [await receiver.verify(instance.request({ id: 'd1', body: created }))];
    expect(await receiver.verifyAll(batchWith('d1', 'd2'))).toMatchObject([{ id: 'd1', event }, { id: 'd2' }]);
    expect((await receiver.verifyAll(batchWith('d1')))[0]?.event).toEqual(event);
    expect(await codeOf(receiver.verify(batchWith('d1')))).toBe('unknown_event');
  });

  it('says the trace of each event, and a single event that of its request', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const events = [
      { id: 'd1', traceparent, ...(JSON.parse(created) as object) },
      { id: 'd2', ...(JSON.parse(created) as object) },
    ];
    const [traced, untraced] = await receiver.verifyAll(
      instance.request({ id: 'b1', body: JSON.stringify({ event: 'batch', id: 'b1', events }) }),
    );
    expect(traced).toMatchObject({ id: 'd1', traceparent });
    expect(traced?.event).toEqual(untraced?.event);
    expect(untraced).not.toHaveProperty('traceparent');

    const { headers, body } = instance.request({ id: 'd3', body: created });
    expect(await receiver.verify({ headers: { ...headers, traceparent }, body })).toMatchObject({ id: 'd3', traceparent });
  });
});
