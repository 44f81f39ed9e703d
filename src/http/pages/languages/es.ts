import type { Words } from './words.ts'

export const es: Words = {
  locale: 'es',
  direction: 'ltr',
  kinds: {
    breaking: 'Incompatible',
    added: 'Añadido',
    changed: 'Cambiado',
    deprecated: 'Obsoleto',
    removed: 'Eliminado',
    fixed: 'Corregido',
    security: 'Seguridad',
    other: 'Otros',
  },
  widget: {
    button: 'Novedades',
    heading: 'Novedades de {product}',
    all: 'Ver todas las versiones',
    more: {
      one: '{count} cambio más',
      many: '{count} cambios más',
      other: '{count} cambios más',
    },
    unread: 'Sin leer',
    unreadCount: '{count} sin leer',
    failed: 'No se pudieron cargar los cambios.',
    nothing: 'Todavía no hay nada.',
  },
}
