import { brokerUsers, permissionsOf } from '@sheaf/events';

/** The users for `deploy/platform/nats`, in nats-server's syntax. Passwords come from its environment. */
export function natsUsers(): string {
  const list = (subjects: readonly string[]) => `[\n${subjects.map((subject) => `        "${subject}"`).join('\n')}\n      ]`;
  const users = brokerUsers.map((user) => {
    const { publish, subscribe } = permissionsOf(user);
    return `  {
    user: ${user}, password: $${user.toUpperCase()}_PASSWORD
    permissions {
      publish: ${list(publish)}
      subscribe: ${list(subscribe)}
    }
  }`;
  });
  return `# Made of libs/events/src/stream/permissions.ts by: npx nx run deploy-checks:nats-users
users: [
  # The operator's, and that of processes from before each had a user of its own. No process needs it.
  { user: sheaf, password: $NATS_PASSWORD }
${users.join('\n')}
]
`;
}
