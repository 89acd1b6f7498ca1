interface Tag {
  name: string;
  description: string;
  /** Of the path behind the door, e.g. `/forms/:id`. */
  takes: RegExp;
}

/** The tag of a path is the first that takes it. */
const tags: readonly Tag[] = [
  { name: 'Authentication', description: 'The caller and the active workspace.', takes: /^\/auth\// },
  { name: 'Sessions', description: 'Sign in and out, accept an invitation, and change the profile.', takes: /^\/(?:sessions|invitations|me)\b/ },
  { name: 'Keys', description: 'API keys, service accounts and their keys.', takes: /^\/(?:api-keys|service-accounts)\b/ },
  { name: 'Respondents', description: 'Published forms for respondents. No credential is needed.', takes: /^\/forms\/:form\b/ },
  { name: 'Submissions', description: 'Submissions and their files.', takes: /^\/forms\/:id\/(?:submissions|files)\b/ },
  { name: 'Drafts', description: 'The unpublished fields of a form.', takes: /^\/forms\/:id\/draft\b/ },
  { name: 'Versions', description: 'The published, immutable versions of a form.', takes: /^\/forms\/:id\/versions\b/ },
  { name: 'Grants', description: 'Roles on single forms, for people outside the workspace or with a lower role in it.', takes: /^\/forms\/:id\/grants\b/ },
  { name: 'Webhooks', description: 'Webhooks of a form, as people manage them in the application.', takes: /^\/forms\/:id\/webhooks\b/ },
  { name: 'Deliveries', description: 'Deliveries to subscribers, with every attempt.', takes: /^\/forms\/:id\/deliveries\b/ },
  { name: 'Webhook keys', description: 'The keys to verify signatures of deliveries with.', takes: /\/webhook-keys\b/ },
  { name: 'Forms', description: 'Forms: create, change, publish, archive, trash.', takes: /^\/forms\b/ },
  { name: 'Payments', description: 'Events of the payment provider.', takes: /^\/payments\b/ },
  { name: 'Folders', description: 'Folders for the forms of a workspace.', takes: /^\/folders\b/ },
  { name: 'Workspaces', description: 'Workspaces and their members.', takes: /^\/workspaces\b/ },
  { name: 'Audit log', description: 'The audit log of changes, exports and downloads.', takes: /^\/audit-log\b/ },
  { name: 'Hooks', description: 'Subscriptions to events of a form, and the events themselves.', takes: /^\/hooks\b/ },
];

/** @throws Error for a path that belongs to none: the table has to learn it. */
export function tagOf(path: string): Tag {
  const behind = path.replace(/^\/(?:api|app|public)\/v1/, '');
  const tag = tags.find(({ takes }) => takes.test(behind));
  if (!tag) throw new Error(`apps/gateway/src/openapi/tags.ts has no tag for ${path}`);
  return tag;
}
