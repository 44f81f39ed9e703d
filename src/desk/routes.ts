import { pictureAt } from '../domain/addresses/paths.ts'
import { isId } from '../domain/id.ts'
import type { ProductName } from '../domain/records.ts'
import { isRefusal } from '../domain/refusal.ts'
import { isSlug } from '../domain/slug.ts'
import { editPage, editTogether, previewOf, saveText } from './pages/edit.ts'
import { homePage } from './pages/home.ts'
import { pictureFile } from './pages/picture.ts'
import { actOnVersion, productPage } from './pages/product.ts'
import { publish, publishPage } from './pages/publish.ts'
import { errorPage, foreignForm, notFoundPage, refusedForm } from './pages/refused.ts'
import { startPage, startProduct } from './pages/start.ts'
import { readForm } from './request/form.ts'
import { mayWrite, type Named, type Sent, type Visit } from './visit.ts'

type Page<Names> = (visit: Visit, names: Names) => Promise<Response>
type Action<Names> = (visit: Sent, names: Names) => Promise<Response>

interface Row<Names> {
  get?: Page<Names>
  post?: Action<Names>
}

/** Every page of the desk. */
const HOME: Row<object> = { get: homePage }
const START: Row<object> = { get: startPage, post: startProduct }
const PRODUCT: Row<ProductName> = { get: productPage, post: actOnVersion }
const VERSION: Readonly<Record<string, Row<Named>>> = {
  '': { get: editPage, post: saveText },
  together: { post: editTogether },
  preview: { get: previewOf, post: previewOf },
  publish: { get: publishPage, post: publish },
}

interface Checks {
  /** The form is from a page of the desk. */
  isOurs: boolean
  isValid(token: string): boolean
}

export async function route(visit: Visit, request: Request, { isOurs, isValid }: Checks): Promise<Response> {
  const found = find(visit)
  if (!found) return notFoundPage(visit)
  const { get, post, names = null } = found
  let asked: Visit = visit
  try {
    if (request.method === 'GET' || request.method === 'HEAD')
      return get ? await get(visit) : notFoundPage(visit)
    if (request.method !== 'POST' || !post)
      return new Response(null, { status: 405, headers: { allow: post ? 'GET, HEAD, POST' : 'GET, HEAD' } })
    const form = await readForm(request)
    const sent = form && { ...visit, form }
    asked = sent ?? visit
    if (!sent || !isOurs) return foreignForm(asked)
    if (form.isTooLong || !isValid(form.text('token'))) return refusedForm(sent, names)
    return await post(sent)
  } catch (error) {
    if (!isRefusal(error)) visit.desk.report(error)
    return errorPage(asked, names, error)
  }
}

interface Found {
  get?: (visit: Visit) => Promise<Response>
  post?: (visit: Sent) => Promise<Response>
  /** Of the version whose text the form has. */
  names?: Named
}

/** Null for a page that does not exist, and for a team that may not be written. */
function find({ desk, path }: Visit): Found | null {
  if (path === '/') return bound(HOME, {})
  if (path === '/start') return bound(START, {})
  const picture = pictureAt(path)
  if (picture) {
    const [, , team = '', product = ''] = path.split('/')
    return mayWrite(desk, team) ? bound({ get: pictureFile }, { team, product, picture }) : null
  }
  const [, team = '', product = '', version, page = '', ...rest] = path.split('/')
  if (rest.length > 0 || !isSlug(team) || !isSlug(product) || !mayWrite(desk, team)) return null
  if (version === undefined) return bound(PRODUCT, { team, product })
  const names = { team, product, version }
  const row = version === 'new' || isId('ver', version) ? VERSION[page] : undefined
  return row ? { ...bound(row, names), names } : null
}

const bound = <Names>({ get, post }: Row<Names>, names: Names): Found => ({
  ...(get && { get: (visit: Visit) => get(visit, names) }),
  ...(post && { post: (visit: Sent) => post(visit, names) }),
})
