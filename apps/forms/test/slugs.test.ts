import { newId } from '@sheaf/kernel';
import { eventually, refused } from '@sheaf/testing';
import { removeOldVacated } from '../src/form/slug-quarantine';
import { clock, create, db, get, instanceId, patch, published, stranger, useService } from './stage';

useService();

describe('a slug', () => {
  it('belongs to only one form of an instance', async () => {
    const { id } = await create();
    const { id: other } = await create();
    await patch(id, { slug: 'contact' });

    await expect(patch(other, { slug: 'contact' })).rejects.toEqual(refused('bad_request', 'slug: is taken'));
    await expect(patch(id, { slug: 'contact' })).resolves.toMatchObject({ slug: 'contact' });
    const foreign = await create('X', stranger);
    await expect(patch(foreign.id, { slug: 'contact' }, stranger)).resolves.toMatchObject({ slug: 'contact' });
  });

  it('is reserved for 90 days after its release for the form that had it', async () => {
    const day = 24 * 60 * 60 * 1_000;
    const [{ id }, { id: other }] = [await create(), await create()];
    await patch(id, { slug: 'moved' });
    await patch(id, { slug: 'elsewhere' });
    const until = new Date(clock.now().getTime() + 90 * day).toISOString();
    await expect(published('moved')).rejects.toEqual(refused('not_found'));
    await expect(patch(other, { slug: 'moved' })).rejects.toEqual(
      refused('bad_request', `slug: is reserved until ${until} for the form that released it`),
    );
    await expect(get(other)).resolves.not.toHaveProperty('slug', 'moved');
    const foreign = await create('X', stranger);
    await expect(patch(foreign.id, { slug: 'moved' }, stranger)).resolves.toMatchObject({ slug: 'moved' });

    await expect(patch(id, { slug: 'moved' })).resolves.toMatchObject({ slug: 'moved' });
    await patch(id, { slug: null });
    clock.advance(90 * day - 1);
    await expect(patch(other, { slug: 'moved' })).rejects.toEqual(refused('bad_request'));
    clock.advance(1);
    await expect(patch(other, { slug: 'moved' })).resolves.toMatchObject({ slug: 'moved' });
    await expect(patch(id, { slug: 'moved' })).rejects.toEqual(refused('bad_request', 'slug: is taken'));
  });

  it('is refused to another form that requests it while it is released', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [{ id }, { id: other }] = [await create(), await create()];
      await patch(id, { slug: `hurry-${round}` });
      const [released, taken] = await Promise.allSettled([patch(id, { slug: null }), patch(other, { slug: `hurry-${round}` })]);
      expect([released.status, taken]).toEqual([
        'fulfilled',
        expect.objectContaining({ status: 'rejected', reason: refused('bad_request', /^slug: is (taken|reserved)/) }),
      ]);
    }
  });

  it('is refused to a form that waited while it was released', async () => {
    const [{ id }, { id: other }] = [await create(), await create()];
    await patch(id, { slug: 'awaited' });
    let waiting: Promise<unknown> = Promise.resolve();
    await db.transaction(async (trx) => {
      await trx('form').where({ id }).update({ slug: null });
      waiting = expect(patch(other, { slug: 'awaited' })).rejects.toEqual(refused('bad_request', /^slug: is reserved/));
      await eventually(async () =>
        expect(
          (
            await db.raw<{ rows: unknown[] }>(
              "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            )
          ).rows,
        ).not.toEqual([]),
      );
      await trx('vacated_slug').insert({ instance_id: instanceId, slug: 'awaited', form_id: id, vacated_at: clock.now() });
    });
    await waiting;
  });

  it('loses only expired reservations, in batches and by several processes at once', async () => {
    const { id } = await create();
    await patch(id, { slug: 'lasting' });
    await patch(id, { slug: null });
    const row = (vacated_at: Date) => ({ instance_id: instanceId, slug: newId(), form_id: id, vacated_at });
    const old = new Date(clock.now().getTime() - 90 * 24 * 60 * 60 * 1_000);
    await db('vacated_slug').insert(Array.from({ length: 1_200 }, () => row(old)));
    const sweep = () => removeOldVacated({ db, clock, settings: { SLUG_QUARANTINE_DAYS: 90 } });

    const removed = await Promise.all([sweep(), sweep()]);

    expect(removed[0] + removed[1]).toBeGreaterThanOrEqual(1_200);
    await expect(db('vacated_slug').where({ form_id: id }).select('slug')).resolves.toEqual([{ slug: 'lasting' }]);
    await expect(sweep()).resolves.toBe(0);
  });

  it('is given to one of two concurrent requests', async () => {
    const [one, two] = [await create(), await create()];

    const outcomes = await Promise.allSettled([one, two].map(({ id }) => patch(id, { slug: 'race' })));

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'bad_request', message: 'slug: is taken' },
    });
  });
});
