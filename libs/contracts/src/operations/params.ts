import type { z } from 'zod';

/** A parameter of a path: what the message calls it, and its text for the documentation. */
export interface PathParam<F extends string = string, S extends z.ZodType = z.ZodType> {
  readonly field: F;
  readonly text: string;
  readonly sample?: string;
  /** The value that it must be; any text without it. A number is read from its digits. */
  readonly shape?: S;
}

export const pathParam = <const F extends string, const More extends Pick<PathParam, 'shape' | 'sample'> = object>(
  field: F,
  text: string,
  more?: More,
): PathParam<F> & More => ({ field, text, ...more }) as PathParam<F> & More;

// The parameters of several areas.

export const formId = pathParam('form_id', "The form's id.");
/** The form, where it is what the operation is about. */
export const idOfForm = pathParam('id', "The form's id.");
/** The form, where its slug will do as well. */
export const formOrSlug = pathParam('form', "The form's id or slug.");
export const workspaceId = pathParam('workspace_id', "The workspace's id.");
/** The workspace, where it is what the operation is about. */
export const idOfWorkspace = pathParam('id', "The workspace's id.");
export const userId = pathParam('user_id', "The person's id.");
/** The submission, where the message names the form too. */
export const submissionId = pathParam('id', "The submission's id.");
