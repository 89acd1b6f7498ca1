import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from './context';
import { Failure } from './failure';

/** An instance, and the key with which it is used. */
export interface Account {
  url: string;
  key: string;
  /** Sends the key without TLS to another machine. */
  allowHttp?: boolean | undefined;
}

/** The accounts that were logged in to, by address. */
export interface Accounts {
  /** The address that commands use unless they name another one: the one of the last login. */
  default?: string | undefined;
  accounts: Record<string, { key: string; allow_http?: boolean | undefined }>;
}

/** The file of the logins. */
export const accountsFile = ({ XDG_CONFIG_HOME: folder }: Environment): string =>
  join(folder === undefined || folder === '' ? join(homedir(), '.config') : folder, 'sheaf', 'accounts.json');

/** An address in the one spelling by which accounts are found. @throws Failure */
export function normalUrl(url: string, name: string): string {
  const { protocol, origin, pathname } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '', pathname: '' };
  if (protocol !== 'https:' && protocol !== 'http:') throw new Failure(`${name}: must be an address, such as https://forms.example.org`, 2);
  return origin + (/^.*[^/]/.exec(pathname)?.[0] ?? '').replace(/\/api\/v1$/, '');
}

/**
 * The account of a command. The key of the environment is for the address of the environment or of the option only: a key of one instance must not
 * reach another one, which could keep it.
 * @throws Failure that says how to get one
 */
export async function accountFor(
  environment: Environment,
  options: { url?: string; allowHttp?: boolean },
  program: string,
): Promise<Account> {
  const { SHEAF_URL, SHEAF_KEY } = environment;
  const asked = options.url === undefined ? undefined : normalUrl(options.url, '--url');
  const named = isSet(SHEAF_URL) ? normalUrl(SHEAF_URL, 'SHEAF_URL') : undefined;
  if (isSet(SHEAF_KEY)) {
    const url = named ?? asked;
    if (url === undefined)
      throw new Failure('SHEAF_URL: set the address of the instance to which SHEAF_KEY belongs, such as https://forms.example.org.', 2);
    if (asked === undefined || asked === url) return { url, key: SHEAF_KEY, allowHttp: options.allowHttp };
  }
  const { default: latest, accounts } = await readAccounts(environment);
  const url = asked ?? named ?? latest;
  if (url === undefined)
    throw new Failure(`You are not logged in. Run "${program} login --url https://forms.example.org", or set SHEAF_URL and SHEAF_KEY.`);
  const account = accounts[url];
  if (account === undefined)
    throw new Failure(`You are not logged in to ${url}. Run "${program} login --url ${url}", or set SHEAF_URL and SHEAF_KEY.`);
  return { url, key: account.key, allowHttp: options.allowHttp ?? account.allow_http };
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';

/** @throws Failure if the file is no list of accounts, or not its owner's alone */
export async function readAccounts(environment: Environment): Promise<Accounts> {
  const file = accountsFile(environment);
  let text: string;
  try {
    // Windows has no such bits.
    if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0)
      throw new Failure(
        `${file}: other users of this machine can read your keys. Run "chmod 600 ${file}", and replace the keys in the console.`,
      );
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { accounts: {} };
    if (error instanceof Failure) throw error;
    throw new Failure(`${file}: cannot be read: ${(error as Error).message}`);
  }
  const read = parsed(text);
  if (read === undefined) throw new Failure(`${file}: is not a list of logins. Remove it, and log in again.`);
  return read;
}

function parsed(text: string): Accounts | undefined {
  try {
    const { default: latest, accounts } = JSON.parse(text) as Partial<Accounts>;
    const isList =
      typeof accounts === 'object' &&
      (latest === undefined || typeof latest === 'string') &&
      Object.values(accounts).every((account) => typeof (account as { key?: unknown } | null)?.key === 'string');
    // Without a prototype, an address is found only if it is there.
    return isList ? { default: latest, accounts: Object.assign(Object.create(null) as object, accounts) } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps an account, and makes it the one that commands use. @returns the file */
export async function keepAccount(environment: Environment, { url, key, allowHttp }: Account): Promise<string> {
  const { accounts } = await readAccounts(environment);
  return writeAccounts(environment, {
    default: url,
    accounts: { ...accounts, [url]: { key, ...(allowHttp === true && { allow_http: true }) } },
  });
}

/** @returns the addresses that were forgotten */
export async function forgetAccounts(
  environment: Environment,
  { url, all }: { url?: string | undefined; all?: boolean | undefined },
): Promise<string[]> {
  const kept = await readAccounts(environment);
  const wanted = url ?? kept.default;
  const gone = Object.keys(kept.accounts).filter((address) => all === true || address === wanted);
  if (gone.length === 0) return [];
  const rest = Object.entries(kept.accounts).filter(([address]) => !gone.includes(address));
  const latest = rest.some(([address]) => address === kept.default) ? kept.default : rest[0]?.[0];
  if (latest === undefined) await rm(accountsFile(environment), { force: true });
  else await writeAccounts(environment, { default: latest, accounts: Object.fromEntries(rest) });
  return gone;
}

async function writeAccounts(environment: Environment, accounts: Accounts): Promise<string> {
  const file = accountsFile(environment);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, `${JSON.stringify(accounts, undefined, 2)}\n`, 0o600);
  return file;
}

/** Writes a file as a whole: whoever reads it finds the old text or the new one, also after a crash. */
export async function replaceFile(file: string, text: string, mode = 0o644): Promise<void> {
  const fresh = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(fresh, text, { mode, flag: 'wx', flush: true });
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
