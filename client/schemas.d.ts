export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The team that owns the product. */
        Team: {
            /**
             * @description Team slug.
             * @example acme
             */
            slug: string;
            /**
             * @description Team display name.
             * @example Acme
             */
            name: string;
        };
        /** @description The product that the changelog is about. */
        Product: {
            /**
             * @description Product slug.
             * @example app
             */
            slug: string;
            /**
             * @description Product display name.
             * @example App
             */
            name: string;
        };
        /** @description The changelog itself, without its versions. */
        ChangelogInfo: {
            /** @description Changelog identifier. */
            id: string;
            /**
             * @description Changelog name.
             * @example App changelog
             */
            name: string;
            /**
             * @description Status of the changelog. Public reads return only `published`.
             * @enum {string}
             */
            status: "draft" | "published" | "locked";
        };
        /** @description One change of a version. */
        Change: {
            /** @description Change identifier. */
            id: string;
            /** @constant */
            object: "changelog.change";
            /**
             * @description A lowercase slug: added, changed, deprecated, removed, fixed, security, or one of the author’s own.
             * @example added
             */
            type: string;
            /**
             * @description The heading of the type as the author wrote it, as markdown.
             * @example Added
             */
            typeLabel: string;
            /**
             * @description The kind of change, by its heading in any language, or by a prefix such as `fix:`. People, packages and parts of the product are `other`.
             * @enum {string}
             */
            kind: "breaking" | "added" | "changed" | "deprecated" | "removed" | "fixed" | "security" | "other";
            /** @description Whether its author says that it breaks something: by its heading, by a mark such as `BREAKING`, `feat!:` or 💥, or in a sentence. Its `kind` may be another. */
            breaking: boolean;
            /** @description Whether it is about security: by its heading, an id such as `CVE-2026-1234`, or words such as "vulnerability". Its `kind` may be another. */
            security: boolean;
            /** @description Whether its words suggest that it breaks something, as it removes, renames or requires something, though its author does not say so. Never true beside `breaking`. */
            mayBreak: boolean;
            /** @description The change in one line. Markdown source. */
            title: string;
            /** @description More about the change. Markdown source, or null. */
            description: string | null;
        };
        /** @description A version. It has `dateKnown`, `description`, `closing`, `prerelease`, `yanked` and `changes` only with `include=changes`. */
        VersionSummary: {
            /** @constant */
            object: "changelog.version";
            /** @description Version identifier; usable as `versionId`. */
            id: string;
            /**
             * @description Version label.
             * @example 1.2.0
             */
            version: string;
            /** @description Version title. Markdown source. */
            title: string;
            /**
             * @description Publication status of the version. Public reads return only `published`.
             * @enum {string}
             */
            status: "draft" | "published";
            /**
             * Format: date-time
             * @description When the version was published. A draft has its planned date, or its creation time. A version without a date has a time between its neighbors. ISO 8601, UTC, with milliseconds.
             * @example 2026-01-02T03:04:05.678Z
             */
            publishedAt: string;
            /** @description Number of changes in the version. */
            changeCount: number;
            /** @description Whether `publishedAt` was given by an author or set at publishing. Otherwise it is only for sorting, and should not be shown. */
            dateKnown?: boolean;
            /** @description About the version as a whole, before the changes. Markdown source, or null. */
            description?: string | null;
            /** @description What follows the changes, such as a link to the full changelog. Markdown source, or null. */
            closing?: string | null;
            /** @description Whether it is a pre-release, by its label or as marked by its host. */
            prerelease?: boolean;
            /** @description Why it was withdrawn after its release; `No reason given.` if nobody said. Null if it was not withdrawn. */
            yanked?: string | null;
            /** @description The changes, in the author’s order. */
            changes?: components["schemas"]["Change"][];
        };
        /** @description A product’s changelog with its versions, or a page of them. */
        Changelog: {
            /** @constant */
            object: "changelog";
            team: components["schemas"]["Team"];
            product: components["schemas"]["Product"];
            changelog: components["schemas"]["ChangelogInfo"];
            /** @description Newest `publishedAt` first; with the same `publishedAt`, newest id first. */
            versions: components["schemas"]["VersionSummary"][];
        };
        /** @description The changelog, or a page of it: the `Link` header names the next page. */
        ChangelogResponse: {
            data: components["schemas"]["Changelog"];
        };
        /** @description A version with its changes. */
        Version: {
            /** @constant */
            object: "changelog.version";
            team: components["schemas"]["Team"];
            product: components["schemas"]["Product"];
            changelog: components["schemas"]["ChangelogInfo"];
            /** @description Version identifier; usable as `versionId`. */
            id: string;
            /**
             * @description Version label.
             * @example 1.2.0
             */
            version: string;
            /** @description Version title. Markdown source. */
            title: string;
            /**
             * @description Publication status of the version. Public reads return only `published`.
             * @enum {string}
             */
            status: "draft" | "published";
            /**
             * Format: date-time
             * @description When the version was published. A draft has its planned date, or its creation time. A version without a date has a time between its neighbors. ISO 8601, UTC, with milliseconds.
             * @example 2026-01-02T03:04:05.678Z
             */
            publishedAt: string;
            /** @description Number of changes in the version. */
            changeCount: number;
            /** @description Whether `publishedAt` was given by an author or set at publishing. Otherwise it is only for sorting, and should not be shown. */
            dateKnown: boolean;
            /** @description About the version as a whole, before the changes. Markdown source, or null. */
            description: string | null;
            /** @description What follows the changes, such as a link to the full changelog. Markdown source, or null. */
            closing: string | null;
            /** @description Whether it is a pre-release, by its label or as marked by its host. */
            prerelease: boolean;
            /** @description Why it was withdrawn after its release; `No reason given.` if nobody said. Null if it was not withdrawn. */
            yanked: string | null;
            /** @description The changes, in the author’s order. */
            changes: components["schemas"]["Change"][];
        };
        /** @description The version. */
        VersionResponse: {
            data: components["schemas"]["Version"];
        };
        /** @description The body of every error. */
        Error: {
            error: {
                /**
                 * @description The error, for programs.
                 * @enum {string}
                 */
                code: "bad_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "rate_limited" | "internal_error" | "unavailable";
                /** @description The error, for people. */
                message: string;
            };
        };
        Query: {
            /** @description Maximum number of versions. The `Link` header names the next page. Default: all versions, or 20 with `include=changes`. */
            limit?: number;
            /** @description Start of the page: an opaque value from the `Link` header of the previous page. */
            cursor?: string;
            /**
             * @description Only versions published at or after this ISO 8601 date or time.
             * @example 2026-01-02
             * @example 2026-01-02T03:04:05Z
             */
            since?: string;
            /**
             * @description Adds the changes and the other details of a version to every version. Without `limit`, it means `limit=20`. `type` and `kind` imply it.
             * @constant
             */
            include?: "changes";
            /**
             * @description Only versions above this one in the list, by its label or a former one, with or without `v`. An unknown label is a 404 that names `after`.
             * @example 1.2.0
             */
            after?: string;
            /**
             * @description Only versions above this one, up to `to`. Two version numbers are compared as numbers, and neither has to exist. Versions with other labels are then left out. A `v` or a package name in front does not matter. `16` means the newest 16.x, and `1.2.x` the newest 1.2, unless a version is called so. Other labels mean the versions between the two in the list, and an unknown one is a 404. If `from` is not below `to`, you get a 400.
             * @example 1.2.0
             */
            from?: string;
            /**
             * @description Only versions up to this one, which is included: see `from`. Default: the version that `latest` means. If `from` is not below that, the list is empty.
             * @example 2.0.0
             */
            to?: string;
            /**
             * @description Only changes of these types, and versions that have any. Separate at most 20 with commas. Capitals do not matter. `changeCount` still counts all changes. Long changelogs are searched in parts. A page may have fewer versions than `limit`, or none, and still a next page.
             * @example security,fixed
             */
            type?: string;
            /**
             * @description Only changes of these kinds, and versions that have any: breaking, added, changed, deprecated, removed, fixed, security, other. Separate several with commas. `breaking` and `security` find every change with that field true. `breaking` also finds versions whose `description` mentions a breaking change. With `type` too, a change must match both.
             * @example breaking,security
             */
            kind?: string;
            /**
             * @description `no` skips pre-releases, by their label or as marked by their host. Default: `yes`.
             * @enum {string}
             */
            prereleases?: "yes" | "no";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
