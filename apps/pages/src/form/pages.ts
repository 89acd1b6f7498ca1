import type { Problem } from '@sheaf/kernel';
import type { Client, FormsDefinition, SubmissionsDefinition } from '@sheaf/rpc';
import { Router, type Request, type Response } from 'express';
import type { Assets } from '../assets';
import type { Config } from '../config';

/** What the pages of forms are made of. */
export interface Parts {
  forms: Client<FormsDefinition>;
  submissions: Client<SubmissionsDefinition>;
  settings: Config;
  assets: Assets;
}

export interface FormPages {
  router: Router;
  /** Answers a request for which there is no page, or whose handler threw. */
  answerProblem: (problem: Problem, request: Request, response: Response) => void;
}

/** The pages of forms: questions, receipt and saved answers. */
export function formPages(_parts: Parts): FormPages {
  return {
    router: Router({ caseSensitive: true }),
    answerProblem: ({ code, message }, _request, response) => {
      response
        .status(code === 'not_found' ? 404 : 503)
        .type('text/plain')
        .send(`${message}\n`);
    },
  };
}
