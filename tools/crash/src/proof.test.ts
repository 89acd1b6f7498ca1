import { generateKeyPairSync, sign } from 'node:crypto';
import { Choices } from './choices';
import { planKills } from './kills';
import { Ledger, type Accepted } from './ledger';
import type { Listener, Post } from './listeners';
import { figuresOf, prove } from './proof';

it('plans the same kills at the same times for the same seed', () => {
  expect(planKills(new Choices(7), 60)).toEqual(planKills(new Choices(7), 60));
  expect(planKills(new Choices(7), 60)).not.toEqual(planKills(new Choices(8), 60));
});

describe('the proof', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keys = [publicKey.export({ format: 'jwk' })];

  /** A run with one accepted submission, which one subscriber received. */
  function correctRun() {
    const ledger = new Ledger();
    const accepted: Accepted = { form: 'f', key: 'answer-1', ids: new Set(['s-1']), begunAt: 1, tries: 1, statuses: [], deleted: false };
    ledger.accept(accepted);
    const body = JSON.stringify({ event: 'submission.created', data: { name: 'answer-1' }, submission: { id: 's-1' } });
    const newPost = (webhookId = 'w-1', reply: Post['reply'] = 200): Post => {
      const signature = sign(null, Buffer.from(`${webhookId}.5.${body}`), privateKey).toString('base64');
      return { at: 2, path: '/', headers: { 'webhook-timestamp': '5', 'webhook-signature': `v1a,${signature}` }, body, webhookId, reply };
    };
    const listener: Listener = {
      kind: 'healthy',
      form: 'f',
      event: 'submission.created',
      url: 'http://l',
      since: 0,
      subscriptionId: 'l',
      posts: [newPost()],
    };
    const list = { form: 'f', total: 1, submissions: [{ id: 's-1', status: 'new', data: { name: 'answer-1' } }] };
    return {
      ledger,
      accepted,
      newPost,
      listener,
      list,
      broken: () => prove({ ledger, listeners: [listener], lists: [list], keys }).map(({ promise }) => promise),
    };
  }

  it('reports nothing for a correct run', () => {
    expect(correctRun().broken()).toEqual([]);
  });

  it.each<[string, (run: ReturnType<typeof correctRun>) => void]>([
    ['every subscriber that never fails accepts everything', ({ listener }) => (listener.posts = [])],
    ['every subscriber that never fails accepts everything', ({ listener, newPost }) => (listener.posts = [newPost('w-1', 500)])],
    ['every accepted submission is listed once, in its last state', ({ list }) => (list.submissions = [])],
    ['every accepted submission is listed once, in its last state', ({ list }) => void list.submissions.push(...list.submissions)],
    ['every accepted submission is listed once, in its last state', ({ list }) => (list.total = 2)],
    ['one Idempotency-Key creates one submission', ({ accepted }) => accepted.ids.add('s-2')],
    ['each event is sent under one webhook-id', ({ listener, newPost }) => listener.posts.push(newPost('w-2'))],
    [
      'events of a submission are planned in order',
      ({ ledger, accepted, listener, newPost }) => {
        ledger.deleted(accepted, 1);
        const body = JSON.stringify({ event: 'submission.deleted', submission_id: 's-1' });
        listener.posts.push({ ...newPost('w-0'), body });
      },
    ],
    ['at most three POSTs of a webhook-id', ({ listener, newPost }) => listener.posts.push(newPost(), newPost(), newPost())],
    ['no event is sent that did not happen', ({ ledger }) => ledger.expectedEvents.splice(0)],
    ['every POST is signed', ({ listener, newPost }) => (listener.posts = [{ ...newPost(), headers: {} }])],
    [
      'every POST of a webhook-id has the same bytes',
      ({ listener, newPost }) => listener.posts.push({ ...newPost(), body: `${newPost().body} ` }),
    ],
    ['every request is answered and none is refused', ({ ledger }) => ledger.refused.push('answer-2: 404')],
  ])('reports a violation of: %s', (promise, breakRun) => {
    const run = correctRun();
    breakRun(run);
    expect(run.broken()).toContain(promise);
  });

  it('counts POSTs of events that were already accepted', () => {
    const { listener, newPost } = correctRun();
    listener.posts = [newPost('w-1', 500), newPost(), newPost()];
    expect(figuresOf([listener])).toMatchObject({ posts: 3, repeats: 1 });
  });
});
