import { createServer } from 'node:net';
import { freePorts, isFree } from './ports';

it('gives different ports below the ephemeral range, never one twice', async () => {
  const ports = [...(await freePorts(20)), ...(await freePorts(20))];

  expect(new Set(ports).size).toBe(40);
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_000);
  }
});

it('knows a port that is taken', async () => {
  const [port = 0] = await freePorts(1);
  expect(await isFree(port)).toBe(true);

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect(await isFree(port)).toBe(false);

  await new Promise((resolve) => server.close(resolve));
});
