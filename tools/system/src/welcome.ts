import { relative, sep } from 'node:path';
import { type Ready } from './system';

/** How the system is shown: as it is known where its user reads. */
export type Shown = {
  root: string;
  isInteractive: boolean;
  /** The address at which people reach it, if not localhost. */
  publicUrl: string | undefined;
  operatorCommand: string;
};

/** The text to print once everything answers. */
export function welcome(
  { baseUrl, firstUser: { apiKey, email, signInLink }, sampleForm, restored, paths }: Ready,
  { root, isInteractive, publicUrl, operatorCommand }: Shown,
): string {
  const isCheckout = operatorCommand.startsWith('npm ');
  const shown = (url: string) => (publicUrl === undefined ? url : url.replace(new URL(baseUrl).origin, new URL(publicUrl).origin));
  // Output that does not go to a terminal may end up in a log, which must not contain the key: the command then reads it from the file.
  // For the same reason, there is no link then, but the command that creates one.
  const key = isInteractive ? apiKey : `$(node -p 'require(${JSON.stringify(paths.credentials)}).api_key')`;
  const short = (path: string) => (path.startsWith(root + sep) ? relative(root, path) : path);
  return [
    '',
    'Sheaf is ready.',
    '',
    `  API     ${shown(baseUrl)}`,
    `  Console ${new URL('/console', shown(baseUrl)).href}`,
    ...(sampleForm === undefined ? [] : [`  Form    ${shown(sampleForm)}`]),
    ...(isCheckout
      ? [`  Try it  curl -H "Authorization: Bearer ${key}" ${shown(baseUrl)}/auth/me`, '  Demo    npm run demo (in another terminal)']
      : []),
    `  Log in  as the user in ${short(paths.credentials)}, or with a link: ${operatorCommand} users sign-in-link --email ${email}`,
    `  Logs    ${short(paths.log)}`,
    ...(isCheckout ? ['  Stop    Ctrl-C'] : []),
    '',
    ...(restored === undefined ? [] : [restoredNote(restored), '']),
    ...(signInLink === undefined ? [] : [`Open this link to sign in (works once, for 24 hours): ${shown(signInLink)}`, '']),
  ].join('\n');
}

const restoredNote = ({ backup_started_at: at }: NonNullable<Ready['restored']>): string =>
  `This system was restored from the backup of ${at}. Some things came back that should not, and webhooks of that moment are held back:\ngo through “After a restore” in docs/backup.md.`;
