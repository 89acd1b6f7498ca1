import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { asMember, asOwner } from '../../support/people';

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

it('a person finds the deliveries of one event in a period', async () => {
  const form = await given.publishedForm();
  await given.subscription(form, `${subscriber.url}/created`);
  await given.subscription(form, `${subscriber.url}/deleted`, 'submission.deleted');
  const ids = [await given.submission(form), await given.submission(form)];
  await asOwner.delete(`/api/v1/forms/${form}/submissions/${ids[0]}`);

  const viewer = await asMember('viewer');
  const path = `/app/v1/forms/${form}/deliveries`;
  const [past, future] = [-60_000, 60_000].map((ms) => encodeURIComponent(new Date(Date.now() + ms).toISOString()));
  await eventually(async () =>
    expect(await viewer.get(`${path}?event=submission.deleted&from=${past}&to=${future}&state=succeeded`)).toMatchObject({
      status: 200,
      body: { data: [{ event: 'submission.deleted', state: 'succeeded' }], total_at_least: 1, next_cursor: null },
    }),
  );
  expect(await viewer.get(`${path}?event=submission.deleted&to=${past}`)).toMatchObject({ body: { data: [], next_cursor: null } });

  const first = (await viewer.get(`${path}?event=submission.created&limit=1`)).body as { data: { id: string }[]; next_cursor: string };
  const second = (await viewer.get(`${path}?event=submission.created&limit=1&cursor=${first.next_cursor}`)).body as typeof first;
  expect([first.data.length, second.data.length, second.next_cursor]).toEqual([1, 1, null]);
  expect(second.data[0]?.id).not.toBe(first.data[0]?.id);
  expect(await viewer.get(path)).toMatchObject({ body: { total: 3 } });
});

it('a person finds the deliveries of one submission', async () => {
  const form = await given.publishedForm();
  await given.subscription(form, `${subscriber.url}/created`);
  await given.subscription(form, `${subscriber.url}/changed`, 'submission.status_changed');
  const [one, other] = [await given.submission(form), await given.submission(form)];
  await asOwner.patch(`/api/v1/forms/${form}/submissions/${one}/status`, { status: 'approved' });

  const viewer = await asMember('viewer');
  const found = async (submission: string, filter = '') => {
    const { body } = await viewer.get(`/app/v1/forms/${form}/deliveries?submission_id=${submission}${filter}`);
    return (body as { data: { event: string }[] }).data.map(({ event }) => event);
  };
  await eventually(async () => expect(await found(one)).toEqual(['submission.status_changed', 'submission.created']));
  await eventually(async () => expect(await found(other)).toEqual(['submission.created']));
  expect(await found(one, '&event=submission.created')).toEqual(['submission.created']);
  const pasted = one.replaceAll('-', '').toUpperCase();
  await eventually(async () => expect(await found(pasted, '&answer=2xx&event=submission.created')).toEqual(['submission.created']));
  expect(await found(one, '&answer=5xx')).toEqual([]);
  expect(await found('nonsense')).toEqual([]);
  expect(await found(form)).toEqual([]);

  const first = (await viewer.get(`/app/v1/forms/${form}/deliveries?submission_id=${one}&limit=1`)).body as { next_cursor: string };
  expect(await found(one, `&limit=1&cursor=${first.next_cursor}`)).toEqual(['submission.created']);
});

it.each([
  [
    'event=form.changed',
    'event: must be one of submission.created, submission.status_changed, submission.deleted, submission.updated, submission.restored, submission.corrected, submission.spam_changed',
  ],
  ['from=yesterday', 'from: must be an RFC 3339 date-time with an offset, such as 2026-05-31T14:30:00Z'],
  ['event=submission.created&offset=1', 'offset: cannot be used with submission_id, event, answer, reason, from, to or cursor'],
  ['answer=6xx', 'answer: must be a status such as 503, a class such as 5xx, or none'],
  ['submission_id=' + 'x'.repeat(65), 'submission_id: must have at most 64 characters'],
  ['cursor=AAAA', 'cursor: must be a next_cursor of this list'],
])('is told what is wrong with ?%s', async (query, message) => {
  const form = await given.publishedForm();
  expect(await asOwner.get(`/app/v1/forms/${form}/deliveries?${query}`)).toMatchObject({ status: 400, body: { error: { message } } });
});
