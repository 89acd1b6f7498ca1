import { dataPaths } from '@sheaf/data-dir';
import { welcome } from './welcome';

const signInLink = 'http://localhost:8080/console/sign-in#link=secret-token';
const ready = (link: string | undefined) => ({
  baseUrl: 'http://localhost:8080/api/v1',
  firstUser: { apiKey: 'shf_u_secret', email: 'owner@sheaf.example', signInLink: link },
  sampleForm: undefined,
  restored: undefined,
  paths: dataPaths('/srv/sheaf/.data'),
});

const checkout = { root: '/srv/sheaf', publicUrl: undefined, operatorCommand: 'npm run sheaf --' };

it('shows the address of the console, and the link until the first user has signed in', () => {
  const first = welcome(ready(signInLink), { ...checkout, isInteractive: true });
  expect(first).toContain('Console http://localhost:8080/console\n');
  expect(first).toContain(`Open this link to sign in (works once, for 24 hours): ${signInLink}\n`);

  expect(welcome(ready(undefined), { ...checkout, isInteractive: true })).not.toContain('Open this link');
});

it('has no secret where it may end up in a log, but the commands that show them', () => {
  const logged = welcome(ready(undefined), { ...checkout, isInteractive: false });
  expect(logged).not.toContain('secret');
  expect(logged).toContain('npm run sheaf -- users sign-in-link --email owner@sheaf.example');
});

it('says after a restore from which backup it is, and where to go on', () => {
  const at = '2026-11-26T10:00:00.000Z';
  const restored = { backup_started_at: at, backup_completed_at: at, restored_at: at };
  const text = welcome({ ...ready(undefined), restored }, { ...checkout, isInteractive: false });
  expect(text).toContain(`restored from the backup of ${at}`);
  expect(text).toContain('docs/backup.md');
});

it('shows the public address and the commands of a container, and nothing that only a checkout has', () => {
  const said = welcome(ready(signInLink), {
    ...checkout,
    isInteractive: false,
    publicUrl: 'https://forms.acme.example',
    operatorCommand: 'docker exec <container> sheaf',
  });
  expect(said).toContain(
    'Open this link to sign in (works once, for 24 hours): https://forms.acme.example/console/sign-in#link=secret-token',
  );
  expect(said).toContain('docker exec <container> sheaf users sign-in-link --email owner@sheaf.example');
  expect(said).not.toMatch(/npm|localhost|Ctrl-C/);
});
