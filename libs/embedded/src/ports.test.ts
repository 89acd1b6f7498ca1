import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { freePorts, isFree } from './ports';

it('returns distinct ports below the ephemeral range', async () => {
  const ports = [...(await freePorts(20)), ...(await freePorts(20))];

  expect(new Set(ports).size).toBe(40);
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_000);
  }
});

it('recognizes a port in use', async () => {
  const [port = 0] = await freePorts(1);
  expect(await isFree(port)).toBe(true);

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect(await isFree(port)).toBe(false);

  await new Promise((resolve) => server.close(resolve));
});

it('skips a port that was given to another process, even before that process listens on it', async () => {
  const [first = 0] = await freePorts(1);
  const another = createSocket('udp4');
  const theirs = first === 31_999 ? 20_000 : first + 1;
  await new Promise<void>((resolve) => another.bind({ port: theirs, address: '127.0.0.1' }, resolve));
  const drawn = jest.spyOn(Math, 'random').mockReturnValueOnce((theirs - 20_000 + 0.5) / 12_000);

  expect(await freePorts(1)).not.toEqual([theirs]);
  expect(drawn.mock.calls.length).toBeGreaterThan(1);

  drawn.mockRestore();
  await new Promise<void>((resolve) => another.close(resolve));
});
