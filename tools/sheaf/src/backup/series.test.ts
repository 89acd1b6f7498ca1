import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextBackup, waitBeforeNext, waitFor } from './series';

const hour = 3_600_000;
let folder: string;
let now: Date;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-series-'));
  now = new Date('2026-11-26T03:15:00.250Z');
});
afterEach(() => rmSync(folder, { recursive: true }));

const create = (backup: string) => Promise.resolve(mkdirSync(backup));
const whole = () => Promise.resolve();
const next = (verify = whole, make = create) => nextBackup({ folder, keep: 2, create: make, verify, now: () => now });
const later = (ms: number) => (now = new Date(now.getTime() + ms));

it('a series keeps the newest backups, and removes older ones', async () => {
  expect(await next()).toEqual({ folder: join(folder, '2026-11-26T03-15-00Z'), removed: [] });
  later(24 * hour);
  await next();
  later(24 * hour);
  expect((await next()).removed).toEqual(['2026-11-26T03-15-00Z']);
  expect(readdirSync(folder)).toEqual(['2026-11-27T03-15-00Z', '2026-11-28T03-15-00Z']);
});

it('a series leaves all earlier backups alone if the new one fails', async () => {
  await next();
  later(24 * hour);
  await next();
  later(24 * hour);
  await expect(next(whole, () => Promise.reject(new Error('the disk is full')))).rejects.toThrow('the disk is full');
  expect(readdirSync(folder)).toEqual(['2026-11-26T03-15-00Z', '2026-11-27T03-15-00Z']);
});

it('a damaged backup removes none, and is not counted afterwards', async () => {
  await next();
  later(24 * hour);
  await next();
  later(24 * hour);
  await expect(next(() => Promise.reject(new Error('a byte has changed')))).rejects.toThrow('a byte has changed');
  expect(readdirSync(folder)).toEqual(['2026-11-26T03-15-00Z', '2026-11-27T03-15-00Z', '2026-11-28T03-15-00Z.damaged']);
  later(24 * hour);
  expect((await next()).removed).toEqual(['2026-11-26T03-15-00Z']);
});

it('a series removes what a killed run left behind, and nothing that is not its own', async () => {
  for (const name of ['2026-11-24T03-15-00Z.partial', '2026-11-26T02-00-00Z.partial', 'by-hand', '2025-01-01'])
    mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'notes.txt'), '');
  expect((await next()).removed).toEqual(['2026-11-24T03-15-00Z.partial']);
  expect(readdirSync(folder)).toEqual(['2025-01-01', '2026-11-26T02-00-00Z.partial', '2026-11-26T03-15-00Z', 'by-hand', 'notes.txt']);
});

it('the next backup follows the newest one, whichever run made it', async () => {
  expect(await waitBeforeNext(join(folder, 'none'), 24 * hour, now)).toBe(0);
  await next();
  later(hour);
  expect(await waitBeforeNext(folder, 24 * hour, now)).toBe(23 * hour - 250);
  later(48 * hour);
  expect(await waitBeforeNext(folder, 24 * hour, now)).toBe(0);
});

it('a wait ends at once if the process is to stop', async () => {
  const stopping = new AbortController();
  const waiting = waitFor(30 * 24 * hour, stopping.signal);
  stopping.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
