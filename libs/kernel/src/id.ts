import { v7 } from 'uuid';

/** A new identifier: a UUID of version 7 in lower case. It grows with time, which keeps the indexes over it compact. */
export const newId = (): string => v7();

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Whether a text from outside can be an identifier at all. What cannot is treated as unknown before it reaches a query:
 * PostgreSQL would refuse it as a malformed uuid.
 */
export const isId = (text: string): boolean => shape.test(text);
