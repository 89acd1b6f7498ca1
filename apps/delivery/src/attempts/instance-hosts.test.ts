import { Problem } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { callAs, eventually, TestClock } from '@sheaf/testing';
import { InstanceHosts } from './instance-hosts';

/** Instance hosts and a fake `workspaces` that has one instance, at the given hosts. */
function startWith(...own: string[]) {
  const clock = new TestClock();
  const calls: string[] = [];
  let isDown = false;
  const workspaces = {
    resolveHost: (_: unknown, request: object) => {
      const { host } = request as { host: string };
      calls.push(host);
      if (isDown) return Promise.reject(Problem.unavailable('down'));
      return own.includes(host) ? Promise.resolve({ id: 'an instance', is_named: true }) : Promise.reject(Problem.notFound('host'));
    },
  };
  const hosts = new InstanceHosts({ workspaces, clock, callWithin: () => callAs({ kind: 'service', id: 'delivery' }), log: silentLog() });
  return { clock, calls, own, hosts, goDown: () => (isDown = true), comeBack: () => (isDown = false) };
}

it('a known host needs no call', async () => {
  const { clock, calls, hosts } = startWith('forms.acme.example');
  const together = [hosts.has('hooks.example.org'), hosts.has('hooks.example.org')];
  for (const answer of together) expect(await answer).toBe(false);
  expect(await hosts.has('forms.acme.example')).toBe(true);

  clock.advance(29_999);
  expect(hosts.has('hooks.example.org')).toBe(false);
  expect(hosts.has('forms.acme.example')).toBe(true);
  expect(calls).toEqual(['hooks.example.org', 'forms.acme.example']);
});

it('a host in use is refreshed in the background before its answer expires', async () => {
  const { clock, calls, own, hosts } = startWith();
  await hosts.has('forms.acme.example');
  own.push('forms.acme.example');

  clock.advance(30_000);
  expect(hosts.has('forms.acme.example')).toBe(false);
  expect(hosts.has('forms.acme.example')).toBe(false);
  await eventually(() => expect(hosts.has('forms.acme.example')).toBe(true));
  expect(calls).toHaveLength(2);
});

it('a host that has not been used for a minute is resolved again before it is judged', async () => {
  const { clock, own, hosts } = startWith();
  await hosts.has('forms.acme.example');
  own.push('forms.acme.example');

  clock.advance(60_000);
  expect(await hosts.has('forms.acme.example')).toBe(true);
});

it('while workspaces is down, the last answer is used, and one call is made per second', async () => {
  const { clock, calls, hosts, goDown, comeBack } = startWith('forms.acme.example', 'forms.other.example');
  await hosts.has('forms.acme.example');
  goDown();
  clock.advance(600_000);

  expect(await hosts.has('forms.acme.example')).toBe(true);
  expect(hosts.has('forms.other.example')).toBe(false);
  expect(calls).toHaveLength(2);

  comeBack();
  clock.advance(1_000);
  expect(await hosts.has('forms.other.example')).toBe(true);
});
