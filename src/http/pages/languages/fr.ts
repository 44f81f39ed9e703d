import type { Words } from './words.ts'

export const fr: Words = {
  locale: 'fr',
  direction: 'ltr',
  kinds: {
    breaking: 'Incompatible',
    added: 'Ajouté',
    changed: 'Modifié',
    deprecated: 'Obsolète',
    removed: 'Supprimé',
    fixed: 'Corrigé',
    security: 'Sécurité',
    other: 'Autre',
  },
  widget: {
    button: 'Nouveautés',
    heading: 'Nouveautés de {product}',
    all: 'Voir toutes les versions',
    more: {
      one: '{count} autre changement',
      many: '{count} autres changements',
      other: '{count} autres changements',
    },
    unread: 'Non lu',
    unreadCount: 'Non lus : {count}',
    failed: 'Les changements n’ont pas pu être chargés.',
    nothing: 'Rien pour l’instant.',
  },
}
