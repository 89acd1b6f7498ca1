/** The address to go to after signing in: only to pages of the console, because a link must not lead through the sign-in to another site. */
export const returnPath = (to: unknown): string | undefined =>
  typeof to === 'string' && /^\/console\/(?!sign-in)/.test(to) ? to : undefined;
