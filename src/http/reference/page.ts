import { SITE } from '../../domain/addresses/paths.ts'
import { html, type Markup, trusted } from '../../notes/html/markup.ts'
import type { ApiDocument, ApiOperation } from '../api/openapi/document.ts'
import { operationSection } from './operation.ts'
import { blocks, schemaSection, slug } from './schema.ts'

/** The OpenAPI document as a page. The script only adds requests to try. `gated`: the site asks for a password. */
export function referencePage(document: ApiDocument, gated: boolean): string {
  const { info, servers, tags } = document
  const schemas = Object.entries(document.components.schemas).sort(([one], [other]) => (one < other ? -1 : 1))
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, operation: get }))
  const under = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag))
  return String(html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${info.title}</title>
<meta name="description" content="The HTTP API of ${info.title}: every route, parameter and response, to read and to try.">
<link rel="stylesheet" href="${SITE.docsStyle}">
<script type="module" src="${SITE.docsScript}"></script>
</head>
<body data-server="${servers[0]?.url ?? '/'}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>API reference</h1>
<p class="summary">${info.title} ${info.version} · <a href="${SITE.openapi}">OpenAPI document</a></p>
</header>
<nav aria-label="Contents">
<ul>
<li><a href="#overview">Overview</a></li>
<li><a href="#credentials">Credentials</a></li>
${tags.map(({ name }) => navGroup(title(name), under(name)))}
<li><a href="#schemas">Schemas</a><ul>
${schemas.map(([name]) => html`<li><a href="#${slug(name)}">${name}</a></li>`)}
</ul></li>
</ul>
</nav>
<main id="content">
<section id="overview">
<h2>Overview</h2>
${blocks(info.description)}
</section>
${credentials(gated)}
${tags.map(
  ({ name, description }) => html`<section id="${slug(name)}">
<h2>${title(name)}</h2>
${blocks(description)}
${under(name).map(({ path, operation }) => operationSection(document, path, operation))}
</section>`,
)}
<section id="schemas">
<h2>Schemas</h2>
<p>Later versions may add fields: ignore those you do not know.</p>
${schemas.map(([name, schema]) => schemaSection(name, schema))}
</section>
</main>
</body>
</html>
`)
}

const navGroup = (
  name: string,
  operations: readonly { path: string; operation: ApiOperation }[],
): Markup => html`<li><a href="#${slug(name)}">${name}</a><ul>
${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
</ul></li>`

/** Credentials stay in the page: nothing is stored. */
const credentials = (gated: boolean): Markup => html`<section id="credentials">
<h2>Credentials</h2>
<p>For the requests you send from this page. They are not stored: closing the page forgets them.</p>
<div class="fields">
${field('key', 'API key', 'Sent as <code>Authorization: Bearer …</code> to the keyed routes.')}
${
  gated
    ? [
        field('user', 'Site user', 'The site is protected by a password.'),
        field(
          'password',
          'Site password',
          'Sent with the user as <code>X-Site-Authorization: Basic …</code>.',
        ),
      ]
    : []
}
</div>
</section>`

const field = (id: string, label: string, hint: string): Markup => html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" type="${id === 'user' ? 'text' : 'password'}" autocomplete="off" spellcheck="false" aria-describedby="${id}-hint">
<p id="${id}-hint">${trusted(hint)}</p>
</div>`

const title = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
