int main() {
    const int n = $elements$;     // records
    const int packs = $packs$;  // of a record
//$if takes.k
    const int k = $pack_at$;  // the pack that is read
//$end
    const dim3 grid($grid$), block($block$);

    const std::vector<Pack> host = random_elements<Pack>(static_cast<size_t>(n) * packs);
    Pack* first = to_device(host);
//$if layout=structures
    const auto* in = reinterpret_cast<const Record<Pack, $packs$>*>(first);
    const auto place = [&](size_t record, size_t pack) { return record * packs + pack; };
//$else
    const Pack* in = first;
    const auto place = [&](size_t record, size_t pack) { return pack * n + record; };
//$end
    unsigned wanted = 0, *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    bool right = true;
    for (const size_t record : samples(n)) {
//$if takes.k
        wanted = top_bit<Pack>();
        right = right && find(first + place(record, k), found, launch) == record;
//$else
        for (int k = 0; k < packs; ++k) {  // one pack is replaced, and gives this together with the others
            wanted = top_bit<Pack>();
            for (int other = 0; other < packs; ++other)
                if (other != k) wanted ^= folded(host[place(record, other)]);
            right = right && find(first + place(record, k), found, launch) == record;
        }
//$end
    }
    verify(right);
    wanted = kNever;

//$if takes.k
    print_bandwidth(1.0 * n * sizeof(Pack), time_us(launch));
//$else
    print_bandwidth(1.0 * n * packs * sizeof(Pack), time_us(launch));
//$end
    CHECK(cudaFree(first));
    CHECK(cudaFree(found));
}
