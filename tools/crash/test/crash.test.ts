import { crash } from '../src/crash';

// A short run with short schedules: it must end within 25 s. The long one, with the contract's schedules: npx nx run crash:run
const shortSchedules = {
  DELIVERY_TIMEOUT_MS: '500',
  DELIVERY_SLOW_MS: '200',
  RETRY_DELAYS_MS: '100,200',
  OUTBOX_REPUBLISH_MS: '1500',
};

it('loses nothing, duplicates nothing and sends nothing a fourth time while its processes are killed', async () => {
  const report = await crash({ seed: 11, seconds: 3, settleSeconds: 60, quietMs: 500, env: shortSchedules });

  expect(report.broken).toEqual([]);
  expect(report.kills.filter(({ pid }) => pid !== undefined).length).toBeGreaterThan(0);
  expect(report.submissions).toBeGreaterThan(report.fromPages);
  expect(report.fromPages).toBeGreaterThan(0);
});
