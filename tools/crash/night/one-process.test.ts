import { crash } from '../src/crash';

const seconds = 20;

it('loses nothing, duplicates nothing and sends nothing a fourth time while the process that hosts all apps is killed', async () => {
  const env = {
    PROCESSES: 'one',
    DELIVERY_TIMEOUT_MS: '500',
    DELIVERY_SLOW_MS: '200',
    RETRY_DELAYS_MS: '100,200',
    OUTBOX_REPUBLISH_MS: '1500',
  };
  const report = await crash({ seed: 12, seconds, settleSeconds: 120, quietMs: 1_000, env });

  expect(report.broken).toEqual([]);
  expect(report.kills.filter(({ victim, pid }) => victim === 'all' && pid !== undefined).length).toBeGreaterThan(1);
  expect(report.submissions).toBeGreaterThan(report.fromPages);
  expect(report.fromPages).toBeGreaterThan(0);
});
