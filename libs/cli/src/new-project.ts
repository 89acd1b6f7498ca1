import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Account } from './accounts';
import { Failure } from './failure';

export const languages = ['typescript', 'javascript'] as const;
export type Language = (typeof languages)[number];

/** The packages of a new project. A test holds them to what this repository has and tries. */
export const versions = { '@sheaf/client': '^0.1.0', '@types/node': '^20.19.0', typescript: '^6.0.3' };

/**
 * Writes a project that calls Sheaf with this account. Nothing is replaced. The file that keeps the key out of version control is there before the key.
 * @throws Failure if the folder has something in it
 */
export async function writeProject(path: string, language: Language, account: Account): Promise<void> {
  const folder = resolve(path);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Failure(`${path}: is not empty. Name a new folder, or empty this one.`);
  for (const [name, text] of Object.entries(filesOf(basename(folder), language, account)))
    await writeFile(join(folder, name), text, { flag: 'wx', mode: name === '.env' ? 0o600 : 0o644 });
}

function filesOf(name: string, language: Language, { url, key, allowHttp }: Account): Record<string, string> {
  const isTyped = language === 'typescript';
  const { '@sheaf/client': client, ...development } = versions;
  const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
  return {
    '.gitignore': 'node_modules/\ndist/\n.env\n',
    'package.json': json({
      name: packageName(name),
      private: true,
      type: 'module',
      scripts: { start: isTyped ? 'tsc && node --env-file=.env dist/first-call.js' : 'node --env-file=.env first-call.js' },
      engines: { node: '>=20.6' },
      dependencies: { '@sheaf/client': client },
      ...(isTyped && { devDependencies: development }),
    }),
    ...(isTyped && {
      'tsconfig.json': json({
        compilerOptions: {
          target: 'es2022',
          module: 'nodenext',
          types: ['node'],
          strict: true,
          skipLibCheck: true,
          rootDir: '.',
          outDir: 'dist',
        },
        include: ['*.ts'],
      }),
    }),
    [isTyped ? 'first-call.ts' : 'first-call.js']: programOf(allowHttp === true),
    'README.md': readmeOf(name, isTyped),
    '.env.example': 'SHEAF_URL=https://forms.example.org\nSHEAF_KEY=the key\n',
    '.env': `SHEAF_URL=${url}\nSHEAF_KEY=${key}\n`,
  };
}

/** A name that npm takes. */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 200) || 'my-integration';

/** The same text is TypeScript and JavaScript. */
const programOf = (allowHttp: boolean): string => `import {
  all,
  createClient,
  createForm,
  getFormDraft,
  listForms,
  publishForm,
  saveFormDraft,
  searchSubmissions,
  submitForm,
} from '@sheaf/client';

const { SHEAF_URL: url, SHEAF_KEY: key } = process.env;
if (!url || !key) throw new Error('SHEAF_URL, SHEAF_KEY: set both in .env');
const client = createClient({ url, key${allowHttp ? ', allowHttp: true' : ''} });

// The forms that the key can use, page by page.
const forms = [];
for await (const form of all(listForms, { client })) forms.push(form);
console.log(\`Your key can use \${forms.length} \${forms.length === 1 ? 'form' : 'forms'}.\`);

// A submission goes to a form of this program's own, and not to one that people use.
const own = forms.find(({ title, current_version }) => title === 'First call' && current_version > 0);
const form = own?.id ?? (await makeForm());
const { id } = await submitForm({ client, path: { form }, body: { data: { name: 'Ada', stars: 5 } } });
console.log(\`Sent the submission \${id}.\`);

const { data: newest } = await searchSubmissions({ client, path: { id: form }, query: { limit: 3 } });
for (const { created_at, data } of newest) console.log(\`\${created_at}: \${data.name} gave \${data.stars} stars.\`);

async function makeForm() {
  const { id } = await createForm({ client, body: { title: 'First call' } });
  const { revision } = await getFormDraft({ client, path: { id } });
  await saveFormDraft({
    client,
    path: { id },
    body: {
      revision,
      fields: [
        { key: 'name', label: 'Your name', type: 'short_text', required: true },
        { key: 'stars', label: 'How was it?', type: 'rating' },
      ],
    },
  });
  await publishForm({ client, path: { id } });
  return id;
}
`;

const readmeOf = (name: string, isTyped: boolean): string => `# ${name}

Calls Sheaf with \`@sheaf/client\`. You need Node 20.6 or newer.

\`\`\`sh
npm install
npm start
\`\`\`

\`${isTyped ? 'first-call.ts' : 'first-call.js'}\` lists your forms, makes one of its own, sends a submission to it, and reads it. \`.env\` has the address and your key, and git ignores it: give
other people \`.env.example\`. The key needs the scopes \`forms:read\`, \`forms:write\` and \`submissions:read\` if it is a service account's.
`;
