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
  return `# Generated from libs/events/src/stream/permissions.ts by: npx nx run deploy-checks:nats-users
users: [
  # The operator's user. Before each process had its own user, all processes used this one; none needs it now.
  { user: sheaf, password: $NATS_PASSWORD }
${users.join('\n')}
]
`;
}
