import { z } from 'zod';
import { graceMs, retentionSettings } from './settings';

const Settings = z.object(retentionSettings);

it('shorter days wait for a week, unless the operator says otherwise', () => {
  expect(graceMs(Settings.parse({}))).toBe(7 * 86_400_000);
  expect(graceMs(Settings.parse({ RETENTION_GRACE_DAYS: '1' }))).toBe(86_400_000);
});

it.each(['0', '-1', '1.5', '366', 'never'])('no process starts with RETENTION_GRACE_DAYS=%s', (days) => {
  expect(Settings.safeParse({ RETENTION_GRACE_DAYS: days }).success).toBe(false);
});
