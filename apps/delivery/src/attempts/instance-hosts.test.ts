import { Problem } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { callAs, eventually, TestClock } from '@sheaf/testing';
import { InstanceHosts } from './instance-hosts';

/** `workspaces` with one instance, at the hosts that a test gives it. */
function beside(...own: string[]) {
  const clock = new TestClock();
  const asked: string[] = [];
  let away = false;
  const workspaces = {
    resolveHost: (_: unknown, request: object) => {
      const { host } = request as { host: string };
      asked.push(host);
      if (away) return Promise.reject(Problem.unavailable('away'));
      return own.includes(host) ? Promise.resolve({ id: 'an instance', is_named: true }) : Promise.reject(Problem.notFound('host'));
    },
  };
  const hosts = new InstanceHosts({ workspaces, clock, callWithin: () => callAs({ kind: 'service', id: 'delivery' }), log: silentLog() });
  return { clock, asked, own, hosts, goAway: () => (away = true), comeBack: () => (away = false) };
}

it('what is known of a host takes no question and no waiting', async () => {
  const { clock, asked, hosts } = beside('forms.acme.example');
  const together = [hosts.has('hooks.example.org'), hosts.has('hooks.example.org')];
  for (const answer of together) expect(await answer).toBe(false);
  expect(await hosts.has('forms.acme.example')).toBe(true);

  clock.advance(29_999);
  expect(hosts.has('hooks.example.org')).toBe(false);
  expect(hosts.has('forms.acme.example')).toBe(true);
  expect(asked).toEqual(['hooks.example.org', 'forms.acme.example']);
});

it('a host that is in use is asked for anew before its time is over, and nobody waits for that', async () => {
  const { clock, asked, own, hosts } = beside();
  await hosts.has('forms.acme.example');
  own.push('forms.acme.example');

  clock.advance(30_000);
  expect(hosts.has('forms.acme.example')).toBe(false);
  expect(hosts.has('forms.acme.example')).toBe(false);
  await eventually(() => expect(hosts.has('forms.acme.example')).toBe(true));
  expect(asked).toHaveLength(2);
});

it('a host that nobody used for a minute is asked for before it is judged', async () => {
  const { clock, own, hosts } = beside();
  await hosts.has('forms.acme.example');
  own.push('forms.acme.example');

  clock.advance(60_000);
  expect(await hosts.has('forms.acme.example')).toBe(true);
});

it('while workspaces is away the last answer counts, and it is asked once a second', async () => {
  const { clock, asked, hosts, goAway, comeBack } = beside('forms.acme.example', 'forms.other.example');
  await hosts.has('forms.acme.example');
  goAway();
  clock.advance(600_000);

  expect(await hosts.has('forms.acme.example')).toBe(true);
  expect(hosts.has('forms.other.example')).toBe(false);
  expect(asked).toHaveLength(2);

  comeBack();
  clock.advance(1_000);
  expect(await hosts.has('forms.other.example')).toBe(true);
});
