#include "app/figures/gallery.h"

#include "app/answers/jobs.h"
#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/figures/figure_writer.h"
#include "app/figures/formats/pdf.h"
#include "app/figures/formats/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>

namespace warplens {
namespace {

/// "every other" as part of a file name.
std::string file_part(std::string_view name) {
    std::string part(name);
    std::replace(part.begin(), part.end(), ' ', '-');
    return part;
}

void make_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error && std::filesystem::is_directory(folder)) return;
    throw UsageError(
        fmt::format("cannot write into '{}': {}", folder, error ? error.message() : "it is not a folder"));
}

/// One picture of the page.
struct ShownFigure {
    std::string file, title, description, command;
};

/// A page, which is XML as well, without scripts and without anything from other places, so that it works
/// from its own folder.
std::string index_page(const std::vector<ShownFigure>& all, const FigureOptions& figure, bool pictures) {
    const Theme& colors = theme(figure.look);
    const auto hex = [](Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); };
    std::string page = fmt::format(R"(<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width"/>
<title>Warplens: figures</title>
<style>
body {{ margin: 2em auto; max-width: 80em; padding: 0 1em; font-family: Inter, sans-serif; background: {}; color: {} }}
main {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(26em, 1fr)); gap: 1.5em }}
figure {{ margin: 0 }}
img {{ width: 100%; height: auto }}
figcaption p {{ margin: 0.2em 0; color: {} }}
a {{ color: inherit }}
code {{ font-size: 80%; overflow-wrap: anywhere }}
</style>
</head>
<body>
<h1>What a warp does to memory</h1>
<main>
)",
                                   hex(colors.page), hex(colors.text), hex(colors.text_weak));
    for (const ShownFigure& one : all) {
        const std::string file = xml_text(one.file);
        page += "<figure>\n";
        if (pictures)
            page += fmt::format(
                "<a href=\"{0}\"><img src=\"{0}\" alt=\"{1}\" width=\"{2}\" height=\"{3}\" "
                "loading=\"lazy\"/></a>\n",
                file, xml_text(one.title), figure.width, figure.height);
        page += fmt::format(
            "<figcaption><a href=\"{}\"><strong>{}</strong></a>\n<p>{}</p>\n<p><code>{}</code></p>"
            "</figcaption>\n</figure>\n",
            file, xml_text(one.title), xml_text(one.description), xml_text(one.command));
    }
    return page + fmt::format("</main>\n<p>Warplens{}</p>\n</body>\n</html>\n",
                              figure.license
                                  ? fmt::format(", <a href=\"{}\">{}</a>", kLicenseAddress, kLicenseName)
                                  : "");
}

/// Writes files on another thread, because compressing a PNG takes about as long as drawing the next one.
/// Prints the path of each file that is written.
class Writing {
public:
    explicit Writing(std::ostream& out) : out_(out) {}
    /// @param encode  makes the bytes; must not touch OpenGL
    void start(std::string path, std::function<std::string()> encode) {
        finish();
        const auto job = std::make_shared<FileJob>();
        job->write = std::packaged_task<std::string()>([path = std::move(path), encode = std::move(encode)] {
            write_output(path, encode());
            return path;
        });
        last_ = job->write.get_future();
        jobs_.add(job);
    }
    /// Errors: those of the last file.
    void finish() {
        while (jobs_.run_for(std::chrono::seconds(1))) {
        }
        if (last_.valid()) out_ << printable(last_.get(), kMostMessageBytes) << '\n';
    }

private:
    struct FileJob : Job {
        std::packaged_task<std::string()> write;
        bool step() override {
            write();
            return false;
        }
    };
    std::ostream& out_;
    std::future<std::string> last_;
    Jobs jobs_{JobsRun::on_workers, [] {}};
};

}  // namespace

std::vector<GalleryItem> gallery_items() {
    std::vector<GalleryItem> items;
    for (const Scenario& scenario : all_scenarios()) {
        const std::string id(scenario.info->id), title(scenario.info->title);
        items.push_back({&scenario, id, title, scenario.info->defaults});
        for (const Preset& preset : scenario.info->presets) {
            items.push_back({&scenario, id + "-" + file_part(preset.name),
                             fmt::format("{}: {}", title, preset.name), preset_params(scenario, preset)});
        }
    }
    const Scenario& first = all_scenarios().front();
    for (const BoardInfo* board : all_boards()) {
        if (!board->picture || board->instructions) continue;
        items.push_back({&first, fmt::format("board-{}", board->key), std::string(board->label),
                         first.info->defaults, board});
    }
    return items;
}

void write_gallery(const DeviceChoice& wanted, const FigureOptions& options, const std::string& folder,
                   std::ostream& out) {
    auto devices = device_table();
    const std::size_t device = choose_device(devices, wanted.name, wanted.cpu);
    const Recordings recordings = open_figure_recordings(options.recordings, devices);
    const FigureFormat format = options.format.value_or(FigureFormat::png);
    if (format == FigureFormat::pdf && pdf_unavailable()) throw UsageError(pdf_unavailable()->reason);
    FigureWriter writer(wanted.cpu);
    make_folder(folder);
    const auto path_of = [&](const std::string& name) {
        return (std::filesystem::path(folder) / name).string();
    };
    std::vector<ShownFigure> shown;
    Writing writing(out);
    for (const GalleryItem& item : gallery_items()) {
        State state = initial_state(*item.scenario, device);
        state.params = item.params;
        FigureOptions figure = options;
        figure.board = item.board;
        const std::string name = fmt::format("{}.{}", item.name, format_name(format));
        const FigurePlan plan(state, devices, figure, recordings);
        const FigureMetadata metadata = plan.metadata(name);
        if (format == FigureFormat::png) {
            auto image = std::make_shared<Image>(writer.draw(plan));
            writing.start(path_of(name), [=] { return figure_to_png(*image, metadata, figure); });
        } else {
            writing.start(path_of(name), [bytes = writer.write(plan, format, name)] { return bytes; });
        }
        shown.push_back({name, item.title, metadata.description, metadata.command});
    }
    writing.finish();
    write_output(path_of("index.html"), index_page(shown, options, format != FigureFormat::pdf));
    out << fmt::format("{} figures and index.html are in {}\n", shown.size(),
                       printable(std::filesystem::absolute(folder).lexically_normal().string()));
}

}  // namespace warplens
