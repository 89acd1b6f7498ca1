interface Tag {
  name: string;
  description: string;
  /** Of the path behind the door, e.g. `/forms/:id`. */
  takes: RegExp;
}

/** What a path is about; the first that takes it counts. */
const tags: readonly Tag[] = [
  { name: 'Authentication', description: 'Whose credential this is, and which workspace it acts in.', takes: /^\/auth\// },
  { name: 'Sessions', description: 'Signing in and out, and accepting an invitation.', takes: /^\/(?:sessions|invitations|me)\b/ },
  { name: 'Keys', description: 'API keys of people, and service accounts with theirs.', takes: /^\/(?:api-keys|service-accounts)\b/ },
  { name: 'Respondents', description: 'Published forms, for those who fill them in. No credential is needed.', takes: /^\/forms\/:form\b/ },
  { name: 'Submissions', description: 'What respondents sent.', takes: /^\/forms\/:id\/(?:submissions|files)\b/ },
  { name: 'Drafts', description: 'The fields of a form before they are published.', takes: /^\/forms\/:id\/draft\b/ },
  { name: 'Versions', description: 'What was published of a form, for good.', takes: /^\/forms\/:id\/versions\b/ },
  { name: 'Grants', description: 'Who has a role on a form beside its creator and the members of its workspace.', takes: /^\/forms\/:id\/grants\b/ },
  { name: 'Webhooks', description: 'Everybody who is told of what happens to the submissions of a form, as people see and change it.', takes: /^\/forms\/:id\/webhooks\b/ },
  { name: 'Deliveries', description: 'What subscribers were sent: every event and every attempt.', takes: /^\/forms\/:id\/deliveries\b/ },
  { name: 'Webhook keys', description: 'What the signatures of deliveries are verified with.', takes: /\/webhook-keys\b/ },
  { name: 'Forms', description: 'Forms and their life: drafted, published, archived, trashed.', takes: /^\/forms\b/ },
  { name: 'Payments', description: 'What the payment provider tells of payments.', takes: /^\/payments\b/ },
  { name: 'Folders', description: 'Folders group the forms of a workspace.', takes: /^\/folders\b/ },
  { name: 'Workspaces', description: 'Workspaces and their members.', takes: /^\/workspaces\b/ },
  { name: 'Audit log', description: 'Who did what to what, when, and from where.', takes: /^\/audit-log\b/ },
  { name: 'Hooks', description: 'Subscriptions to what happens to the submissions of a form.', takes: /^\/hooks\b/ },
];

/** @throws Error for a path that belongs to none: the table has to learn it. */
export function tagOf(path: string): Tag {
  const behind = path.replace(/^\/(?:api|app|public)\/v1/, '');
  const tag = tags.find(({ takes }) => takes.test(behind));
  if (!tag) throw new Error(`apps/gateway/src/openapi/tags.ts has no tag for ${path}`);
  return tag;
}
