import { initial } from './0100_initial';

export const migrations = [initial];
