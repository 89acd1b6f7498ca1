import { v7 } from 'uuid';

/** Creates an identifier: a version 7 UUID in lower case. Its values increase over time, which keeps indexes compact. */
export const newId = (): string => v7();

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Whether a text from outside has the form of an identifier. Any other text must be treated as unknown before it reaches a query:
 * PostgreSQL would reject it as a malformed uuid.
 */
export const isId = (text: string): boolean => shape.test(text);
