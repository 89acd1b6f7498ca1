import { lazy } from 'react';

/** Draws the pages of forms, and so weighs as much as a route: it takes nothing from the editor but what it is given. */
export const TriedForm = lazy(() => import('./tried-form').then((module) => ({ default: module.TriedForm })));
