export const PARAMETERS = [
  'limit',
  'cursor',
  'since',
  'include',
  'after',
  'from',
  'to',
  'type',
  'kind',
  'prereleases',
] as const
