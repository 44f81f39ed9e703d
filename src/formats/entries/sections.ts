import { typeFromHeading } from '../../domain/slug.ts'
import { KIND_OF, namesKind } from '../../domain/versions/kinds.ts'

/** `Improvements`, `Behobene Fehler`, `What's new` */
export function namesSection(title: string): boolean {
  const type = typeFromHeading(title) ?? ''
  return (
    KIND_OF.has(type) ||
    (type !== '' && type.split('-').every((word) => FILLERS.has(word) || namesKind(word)))
  )
}

const FILLERS = new Set(
  `and or the a in this our we also other more small minor various general what whats things stuff issues release week und weitere kleine
  sonstige was ist fehler funktionen et autres petites fonctionnalités bogues y e otras otros pequeñas errores funciones outras outros erros
  altre altri piccole errori problemi en overige kleine fouten problemen`.split(/\s+/),
)
