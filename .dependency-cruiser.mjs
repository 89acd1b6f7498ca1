// The imports allowed between projects and within one, checked by `npx nx run sheaf:imports`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The imports allowed between layers. A layer that is not named on the left may import nothing of ours. */
const layers = {
  kernel: [],
  embedded: [],
  'data-dir': [],
  runtime: ['kernel'],
  egress: ['kernel', 'runtime', 'testing'],
  contracts: ['kernel'],
  formulas: ['contracts', 'testing'],
  'form-view': ['kernel', 'contracts', 'formulas', 'testing'],
  rpc: ['kernel', 'runtime', 'contracts', 'testing'],
  postgres: ['kernel', 'runtime', 'testing'],
  events: ['kernel', 'runtime', 'contracts', 'postgres', 'testing'],
  workbook: ['kernel', 'contracts', 'testing'],
  testing: ['kernel', 'runtime', 'contracts', 'rpc', 'postgres', 'events', 'egress', 'embedded'],
  // Contracts for their types, and for the rules that have no zod in them. Testing for the tests of its screens.
  console: ['client', 'contracts', 'formulas', 'form-view', 'testing'],
  gateway: ['kernel', 'runtime', 'contracts', 'rpc', 'events', 'testing'],
  pages: ['kernel', 'runtime', 'contracts', 'formulas', 'rpc', 'form-view', 'testing'],
  service: ['kernel', 'runtime', 'contracts', 'formulas', 'rpc', 'postgres', 'events', 'egress', 'workbook', 'testing'],
  // Hosts the others, each of which imports none of them.
  all: ['kernel', 'runtime', 'gateway', 'pages', 'service'],
  system: ['kernel', 'embedded', 'data-dir', 'client'],
  generators: [],
  demo: ['client'],
  // Reads files as the service does.
  xlsforms: ['kernel', 'service'],
  // Published packages depend on nothing.
  client: [],
  webhooks: [],
  mcp: [],
  // Bundles the client.
  cli: ['client'],
  deploy: ['kernel', 'runtime', 'contracts', 'events', 'rpc', 'testing'],
  // The command line of developers, for the commands that operators have too.
  sheaf: ['kernel', 'contracts', 'client', 'cli', 'embedded', 'data-dir'],
  docs: ['contracts'],
  release: ['kernel', 'embedded'],
  e2e: ['kernel', 'contracts', 'testing', 'embedded', 'client', 'webhooks'],
  crash: ['kernel', 'contracts', 'testing'],
  bench: ['kernel', 'contracts', 'testing', 'client'],
};

const banned = {
  gateway: ['knex', 'pg'],
  pages: ['knex', 'pg', 'http-proxy-middleware'],
  service: ['express', 'http-proxy-middleware'],
};

/** Each project's folder, by layer: the tag in its project.json. */
const projects = ['apps', 'libs', 'tools'].flatMap((group) =>
  readdirSync(group)
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(`${folder}/project.json`))
    .map((folder) => ({ folder, layer: layerOf(folder) })),
);

function layerOf(folder) {
  const { tags } = JSON.parse(readFileSync(`${folder}/project.json`, 'utf8'));
  return tags.find((tag) => tag.startsWith('layer:')).slice('layer:'.length);
}

const foldersOf = (names) => projects.filter(({ layer }) => names.includes(layer)).map(({ folder }) => `^${folder}/`);

/** A page of the documentation, which the console shows. */
const shownPage = '^docs/verify-webhooks\\.md$';

/** A project imports what its layer may, and nothing of the folders that belong to no project. */
const layerBorders = projects.flatMap(({ folder, layer }) => {
  const may = layers[layer] ?? [];
  const from = { path: `^${folder}/.*\\.tsx?$` };
  const name = folder.replace('/', '-');
  return [
    {
      name: `layer-${name}`,
      comment: `${folder} is of the layer ${layer}, which may import ${may.length > 0 ? may.join(', ') : 'nothing of ours'}.`,
      severity: 'error',
      from,
      to: {
        path: '^(apps|libs|tools|deploy|docs|proto)/',
        pathNot: [`^${folder}/`, ...foldersOf(may), ...(layer === 'console' ? [shownPage] : [])],
      },
    },
    ...(banned[layer] ?? []).map((pack) => ({
      name: `layer-${name}-${pack}`,
      comment: `The layer ${layer} does without ${pack}.`,
      severity: 'error',
      from,
      to: { path: `(?:^|/)node_modules/(?:@types/)?${pack}/` },
    })),
  ];
});

/**
 * The rooms of a source folder: one for each capability, and the files in it that other rooms may import. The files beside the rooms
 * (main, server, deps, config, …) put the rooms together and may import all of them.
 */
const rooms = {
  'apps/delivery/src': {
    subscriptions: ['endings.queries', 'lanes', 'retry-schedule', 'subscriptions.queries', 'told-options', 'turns.queries'],
    keys: ['seals', 'webhook-secret'],
    attempts: ['attempts', 'batch-body', 'claims.queries', 'own-headers', 'send', 'shown-connection', 'shown-response'],
    payloads: ['payloads'],
    listening: ['listened-forms', 'listening.queries'],
    restored: ['restored.queries'],
    erasing: ['erasing.queries'],
    planning: ['store-planned'],
    log: [],
  },
  'apps/submissions/src': {
    exact: ['exact-forms', 'exact.queries', 'full-options', 'granted', 'ready-for-members', 'refusals', 'rules'],
    form: ['answers', 'checked-answers', 'ending', 'forms-view', 'intake-form', 'openness', 'parse-answers', 'price-fault', 'sites'],
    intake: ['batches.queries', 'start-tokens.queries', 'submit'],
    submission: [
      'announce',
      'assign-submission',
      'change-many',
      'change-one',
      'change-status',
      'events',
      'measured',
      'lock-submission',
      'read-submissions',
      'submissions.queries',
      'form-counts.queries',
      'as-json',
      'trash',
    ],
    bulk: ['entitlement'],
    corrections: ['revisions.queries'],
    notes: [],
    search: [
      'conditions',
      'filter',
      'find-all',
      'find-places',
      'terms',
      'found.queries',
      'forget.queries',
      'index.queries',
      'slice',
      'words',
      'needs',
      'reindex.queries',
    ],
    insights: [],
    subjects: [],
    erasing: ['erase', 'erase-submissions', 'erasing.queries', 'kept-since'],
    list: ['blocks.queries', 'list.queries'],
    export: ['run-exports'],
    import: [],
    files: ['claim-files', 'files.queries', 'keep-files', 'remove-files', 'storage/outages'],
    saved: ['erase-saved'],
    payments: ['checkout', 'payments.queries'],
    spam: ['checks', 'http-check', 'spam'],
  },
  'apps/workspaces/src': {
    credentials: ['api-keys', 'credentials.queries', 'key', 'service-accounts'],
    sessions: ['password', 'session-times', 'set-password', 'sign-in-links', 'sign-in-links.queries', 'sign-in-throttle'],
    people: ['access-changed', 'erase-person', 'people.queries', 'standing-changed'],
    members: ['add-member', 'invitations', 'invitations.queries', 'is-pending', 'manager', 'member-rules'],
    workspace: ['create-workspace', 'erase-workspace', 'erase-workspace.queries', 'slug-quarantine', 'workspaces.queries'],
    folders: [],
    instances: ['erase-instance', 'instance-members', 'instance-members.queries', 'link-origin', 'record-restore', 'shown-instance'],
    'audit-log': ['audit-log.queries', 'readable-scopes'],
    erasures: ['erasures.queries', 'shown-erasure'],
    operator: ['output-secret', 'write-privately'],
  },
  'apps/forms/src': {
    form: ['form-changed', 'forms.queries', 'load-form', 'slug-quarantine', 'vacated-slugs.queries'],
    content: ['content-changes', 'draft-rules', 'faults', 'payment'],
    xlsform: ['report', 'write-xlsform'],
    list: ['find-forms', 'find-forms.queries'],
    settings: ['form-settings', 'keeping', 'keeping.queries', 'settings-rules', 'settings.queries'],
    access: ['grant-changed', 'grants.queries'],
    publishing: ['publish-form', 'versions.queries'],
    draft: ['drafts.queries'],
    filing: ['filing', 'folders.queries'],
    views: ['presets', 'sharing.queries', 'views'],
    lifecycle: [],
    erasing: [],
  },
  'apps/hooks/src': {
    subscription: ['refuse-too-many', 'subscription-changed', 'subscriptions.queries'],
    listeners: ['listener-lease', 'listeners.queries'],
    entitlement: ['entitlement', 'follow-forms', 'standing.queries'],
    subscribing: [],
    webhooks: [],
    erasing: [],
  },
  'apps/gateway/src': {
    http: ['input', 'json', 'reply', 'streamed', 'upload'],
    origins: ['cross-origin', 'host', 'link-origin', 'own-origin'],
    callers: ['access', 'admission', 'callers', 'device-cookie', 'session-cookie'],
    'event-streams': ['event-streams'],
    mcp: ['mcp'],
    pages: [],
    routes: ['index', 'services'],
    openapi: [],
  },
  // `parts` is for every room.
  'apps/console/src': {
    account: [],
    api: ['client', 'problem-sentence', 'query-client', 'retention'],
    builder: ['editor/leaving', 'editor/palette', 'model/conditions', 'model/kinds', 'settings/comparison'],
    form: ['form', 'form-state', 'form-status', 'form-version', 'held-spam', 'settings-draft', 'settings-section', 'unsaved'],
    forms: [],
    help: ['help'],
    insights: [],
    retention: ['upcoming-days'],
    session: ['session', 'sign-in-again', 'signed-out'],
    settings: ['audit-log/sentences'],
    share: ['wall-time'],
    shell: ['appearance', 'failure-pages', 'live-changes', 'mark', 'theme', 'use-title', 'with-words'],
    submissions: ['list-search', 'status-badge'],
    webhooks: ['delivery-state', 'pending', 'webhook-place', 'webhooks-of'],
    words: [
      'capitalized',
      'formats',
      'language',
      'language-name',
      'languages/de',
      'languages/en',
      'loading',
      'use-formats',
      'use-words',
      'words',
    ],
  },
  'libs/events/src': {
    outbox: ['outbox', 'publisher'],
    stream: ['broker', 'sight', 'stream', 'vouch'],
  },
  'libs/rpc/src': { transport: [] },
};

/** In these, rooms import only from rooms that stand before them in the table, so that no two need each other. Their tests may import all. */
const oneWay = ['apps/delivery/src', 'apps/forms/src', 'apps/hooks/src', 'apps/gateway/src'];

const directions = oneWay.flatMap((source) => {
  const [first, ...others] = Object.keys(rooms[source]);
  return others.map((room, at) => ({
    name: `way-${source.split('/')[1]}-${room}`,
    comment: `${source}/${room} stands after the rooms that it may import: these do not import it.`,
    severity: 'error',
    from: { path: `^${source}/(${[first, ...others.slice(0, at)].join('|')})/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^${source}/${room}/` },
  }));
});

const borders = Object.entries(rooms).flatMap(([source, shown]) =>
  Object.entries(shown).map(([room, files]) => ({
    name: `room-${source.split('/')[1]}-${room}`,
    comment: `${source}/${room} shows other rooms ${files.length > 0 ? files.join(', ') : 'nothing'}: import one of these, or show one more file.`,
    severity: 'error',
    from: { path: `^${source}/[^/]+/`, pathNot: [`^${source}/${room}/`, `^${source}/generated/`] },
    to: {
      path: `^${source}/${room}/`,
      ...(files.length > 0 ? { pathNot: `^${source}/${room}/(${files.join('|').replaceAll('.', '\\.')})\\.(?:tsx?|module\\.css)$` } : {}),
    },
  })),
);

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one, or want a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...layerBorders,
    {
      name: 'by-name',
      comment: 'Another project is imported by its name, @sheaf/…, which leads to its index.',
      severity: 'error',
      from: { path: '^(apps|libs|tools)/([^/]+)/.*\\.tsx?$' },
      to: { path: '^(apps|libs|tools)/', pathNot: '^$1/$2/', dependencyTypesNot: ['aliased'] },
    },
    ...borders,
    {
      name: 'words-by-part',
      comment: 'A page loads the words of its own part, in one language: ask useWords. An import would load all of a language.',
      severity: 'error',
      from: { path: '^apps/console/src/', pathNot: ['^apps/console/src/words/', '\\.test\\.tsx?$'] },
      to: { path: '^apps/console/src/words/languages/' },
    },
    ...directions,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/generated/', '^dist/', '^apps/(n8n-nodes-sheaf|zapier)/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
  },
};
