import { urlIn } from '@sheaf/kernel';
import { text } from '../shapes';

/**
 * A web address that a page may link or redirect to. Characters that display nothing are refused, because they could hide where it leads,
 * or end a header.
 */
export const webAddress = () =>
  text(1, 2_048)
    .refine((value) => /^https?:\/\/[^/\\]/i.test(value) && urlIn(value) !== undefined, {
      error: 'must be a web address that starts with http:// or https://',
      abort: true,
    })
    .refine((value) => !/[\s\p{C}]/u.test(value), 'must not contain white space or invisible characters')
    .refine((value) => {
      const { username, password } = new URL(value);
      return username === '' && password === '';
    }, 'must not contain a user name or password')
    .meta({ format: 'uri' });
