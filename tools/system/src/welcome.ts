import { relative, sep } from 'node:path';
import { type Ready } from './system';

/** The text to print once everything answers. */
export function welcome(
  { baseUrl, firstUser: { apiKey, email, signInLink }, sampleForm, paths }: Ready,
  { root, isInteractive }: { root: string; isInteractive: boolean },
): string {
  // Output that does not go to a terminal may end up in a log, which must not contain the key: the command then reads it from the file.
  // For the same reason, there is no link then, but the command that creates one.
  const key = isInteractive ? apiKey : `$(node -p 'require(${JSON.stringify(paths.credentials)}).api_key')`;
  const short = (path: string) => (path.startsWith(root + sep) ? relative(root, path) : path);
  return [
    '',
    'Sheaf is ready.',
    '',
    `  API     ${baseUrl}`,
    `  Console ${new URL('/console', baseUrl).href}`,
    ...(sampleForm === undefined ? [] : [`  Form    ${sampleForm}`]),
    `  Try it  curl -H "Authorization: Bearer ${key}" ${baseUrl}/auth/me`,
    '  Demo    npm run demo (in another terminal)',
    `  Log in  as the user in ${short(paths.credentials)}, or with a link: npm run sheaf -- users sign-in-link --email ${email}`,
    `  Logs    ${short(paths.log)}`,
    '  Stop    Ctrl-C',
    '',
    ...(signInLink === undefined ? [] : [`Open this link to sign in (works once, for 24 hours): ${signInLink}`, '']),
  ].join('\n');
}
