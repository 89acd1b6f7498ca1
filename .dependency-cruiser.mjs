// Who may import whom within a project, checked by `npx nx run sheaf:imports`. The borders between projects are eslint's (eslint.config.mjs).

/**
 * The rooms of a source folder: one for each capability, and the files in it that other rooms may import. The files beside the rooms
 * (main, server, deps, config, …) put the rooms together and may import all of them.
 */
const rooms = {
  'apps/delivery/src': {
    planning: ['end-subscription', 'plan.queries', 'store-planned', 'subscriptions.queries'],
    attempts: ['attempt', 'attempt.queries', 'lanes', 'retry', 'send', 'shown-response'],
    payloads: ['payloads'],
    log: ['redeliver'],
    keys: [],
    subjects: [],
    erasing: ['erasing.queries'],
  },
  'apps/submissions/src': {
    form: ['answers', 'checked-answers', 'forms-view', 'intake-form', 'openness', 'parse-answers', 'sites'],
    intake: ['start-tokens.queries', 'submit'],
    submission: [
      'announce',
      'change-many',
      'events',
      'measured',
      'lock-submission',
      'read-submissions',
      'submissions.queries',
      'form-counts.queries',
      'as-json',
    ],
    corrections: ['revisions.queries'],
    notes: [],
    search: ['conditions', 'filter', 'find-all', 'find-places', 'forget.queries', 'index.queries', 'slice', 'words', 'reindex.queries'],
    insights: [],
    subjects: [],
    erasing: ['erase', 'erase-submissions', 'erasing.queries'],
    list: ['blocks.queries', 'list.queries'],
    export: [],
    files: ['claim-files', 'files.queries', 'keep-files', 'remove-files'],
    saved: ['erase-saved'],
    payments: ['checkout', 'payments.queries'],
    spam: ['checks', 'http-check'],
  },
  'apps/workspaces/src': {
    credentials: ['api-keys', 'credentials.queries', 'key', 'service-accounts'],
    sessions: ['password', 'session-times', 'set-password', 'sign-in-links', 'sign-in-links.queries', 'sign-in-throttle'],
    people: ['access-changed', 'erase-person', 'people.queries', 'standing-changed'],
    members: ['add-member', 'invitations', 'invitations.queries', 'is-pending', 'manager', 'member-rules'],
    workspace: ['create-workspace', 'erase-workspace', 'erase-workspace.queries', 'slug-quarantine', 'workspaces.queries'],
    folders: [],
    instances: ['erase-instance', 'instance-members', 'instance-members.queries', 'link-origin', 'shown-instance'],
    'audit-log': ['audit-log.queries', 'readable-scopes'],
    erasures: ['erasures.queries', 'shown-erasure'],
    operator: ['output-secret', 'write-privately'],
  },
  'libs/events/src': {
    outbox: ['outbox', 'publisher'],
    stream: ['broker', 'sight', 'stream', 'vouch'],
  },
  'libs/rpc/src': { transport: [] },
};

const borders = Object.entries(rooms).flatMap(([source, shown]) =>
  Object.entries(shown).map(([room, files]) => ({
    name: `room-${source.split('/')[1]}-${room}`,
    comment: `${source}/${room} shows other rooms ${files.length > 0 ? files.join(', ') : 'nothing'}: import one of these, or show one more file.`,
    severity: 'error',
    from: { path: `^${source}/[^/]+/`, pathNot: [`^${source}/${room}/`, `^${source}/generated/`] },
    to: {
      path: `^${source}/${room}/`,
      ...(files.length > 0 ? { pathNot: `^${source}/${room}/(${files.join('|').replaceAll('.', '\\.')})\\.ts$` } : {}),
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
    ...borders,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/generated/', '^dist/', '^apps/(n8n-nodes-sheaf|zapier)/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
  },
};
