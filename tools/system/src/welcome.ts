import { relative, sep } from 'node:path';
import { type Ready } from './system';

/** The text to print once everything answers. */
export function welcome(
  { baseUrl, apiKey, sampleForm, paths }: Ready,
  { root, isInteractive }: { root: string; isInteractive: boolean },
): string {
  // Output that does not go to a terminal may end up in a log, which must not contain the key: the command then reads it from the file.
  const key = isInteractive ? apiKey : `$(node -p 'require(${JSON.stringify(paths.credentials)}).api_key')`;
  const short = (path: string) => (path.startsWith(root + sep) ? relative(root, path) : path);
  return [
    '',
    'Sheaf is ready.',
    '',
    `  API     ${baseUrl}`,
    ...(sampleForm === undefined ? [] : [`  Form    ${sampleForm}`]),
    `  Try it  curl -H "Authorization: Bearer ${key}" ${baseUrl}/auth/me`,
    '  Demo    npm run demo (in another terminal)',
    `  Log in  as the user in ${short(paths.credentials)}`,
    `  Logs    ${short(paths.log)}`,
    '  Stop    Ctrl-C',
    '',
  ].join('\n');
}
