import { isRanked } from '@sheaf/contracts';
import type { CountedField } from './insights-query';

export const hasRanks = ({ question }: CountedField): boolean => question !== undefined && isRanked(question);
