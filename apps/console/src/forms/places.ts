import { Archive, FileText, Star, Trash2, Users, type LucideIcon } from 'lucide-react';
import type { View } from './place';

export const viewIcons: Record<View, LucideIcon> = { all: FileText, favorites: Star, shared: Users, archived: Archive, trash: Trash2 };
